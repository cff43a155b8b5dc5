// Tests the commands for API keys: storing, listing and removing them.
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import { resultOf } from '../../support/result-of.ts'
import { valuesOf } from '../../support/values-of.ts'

const key = 'sk-planted-0123456789abcdef'

let folder: string
let env: Record<string, string>
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-keys-'))
  env = { HOME: folder, RXPI_HOME: path.join(folder, 'home'), RXPI_KEY_STORAGE: 'file' }
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const host = () => createServerBackend({ env, version: '1' })
const set = (provider: string, value = key, own: Record<string, string> = {}) =>
  resultOf(host().auth.set({ cwd: folder, env: { ...env, ...own }, provider, key: value }))
const list = (own: Record<string, string> = {}) => resultOf(host().auth.list({ cwd: folder, env: { ...env, ...own } }))

describe('the keys of a user', () => {
  it("are stored for the provider's address, and listed without their values [COMMAND-auth]", async () => {
    const stored = await set('openai', ` ${key}\n`)
    expect(stored).toMatchObject({ kept: 'file', origin: 'https://api.openai.com', notices: [] })
    expect(stored.defaultModel).toBe('openai/gpt-6-sol')
    const listed = await list()
    expect(listed.providers).toMatchObject([
      { provider: 'openai', keys: [{ from: 'file', keyId: stored.keyId, tail: '…cdef', used: true }] },
    ])
    expect(JSON.stringify([stored, listed])).not.toContain(key.slice(0, 10))
    expect(readFileSync(path.join(folder, 'home', 'auth.json'), 'utf8')).toContain(`"${key}"`)
  })

  it('that are stored but not used cause a notice', async () => {
    const { notices } = await set('openai', key, { OPENAI_API_KEY: 'sk-env' })
    expect(notices).toEqual([
      {
        code: 'key_unused',
        message: 'The key is stored, but not used: OPENAI_API_KEY takes precedence.',
      },
    ])
  })

  it('can be of a provider in models.json', async () => {
    const config = path.join(folder, '.config', 'rxpi')
    mkdirSync(config, { recursive: true })
    const models = { providers: { work: { baseUrl: 'https://models.example.com/v1', apiKey: '$WORK_KEY' } } }
    writeFileSync(path.join(config, 'models.json'), JSON.stringify(models), { mode: 0o600 })
    expect((await list({ WORK_KEY: key })).providers).toMatchObject([
      { provider: 'work', keys: [{ from: 'models', kind: 'variable', name: 'WORK_KEY', used: true }] },
    ])
    expect(await set('work')).toMatchObject({ origin: 'https://models.example.com' })
  })

  it.each([
    [
      'nobody',
      key,
      'bad_request',
      'There is no provider "nobody": rxpi models lists the known ones; add others in models.json. A provider of an extension takes its key from the variable that the extension names.',
    ],
    ['azure', key, 'bad_config', 'AZURE_OPENAI_ENDPOINT'],
    ['openai', 'sk-planted with a space', 'provider_error', 'holds a space'],
    ['openai', ' ', 'provider_error', 'is empty'],
  ])('of %s: %j is refused, and its value is not repeated', async (provider, value, code, says) => {
    const refused = set(provider, value)
    await expect(refused).rejects.toMatchObject({ code })
    await expect(refused).rejects.toThrow(says)
    await expect(refused).rejects.not.toThrow('sk-planted')
  })

  it('are removed; without a stored key the removal fails [COMMAND-auth]', async () => {
    await set('openai')
    const remove = () => resultOf(host().auth.remove({ cwd: folder, env, provider: 'openai' }))
    expect(await remove()).toEqual({ removed: 1 })
    await expect(remove()).rejects.toThrow('No key is stored for openai')
    expect((await list()).providers).toEqual([])
  })

  it('that are stored are used by a session, and doctor names their provider', async () => {
    const open = () => resultOf(host().sessions.create({ cwd: folder, env, model: 'openai/gpt-5.1', store: false }))
    await expect(open()).rejects.toThrow('rxpi auth set openai')
    await set('openai')
    const { session } = await open()
    expect(session.model.provider).toBe('openai')
    await valuesOf(session.close())
    const report = await resultOf(host().config.doctor({ cwd: folder, env }))
    expect(report.checks.find(({ name }) => name === 'keys')).toMatchObject({ ok: true, message: 'openai (file)' })
    expect(JSON.stringify(report)).not.toContain(key)
  })

  it.each<[string, string, number, RegExp]>([
    [
      'damaged',
      `{"v":1,"providers":{"openai":[{"value":"${key}`,
      0o600,
      /auth\.json is not valid: it is not JSON; repair it/,
    ],
    ['readable by others', '{"v":1,"providers":{}}', 0o644, /auth\.json has mode 644, and holds keys: chmod 600/],
  ])(
    'whose file is %s do not block those of the environment; requests, auth_list and doctor report the file [COMMAND-auth]',
    async (_, text, mode, says) => {
      mkdirSync(path.join(folder, 'home'), { mode: 0o700 })
      writeFileSync(path.join(folder, 'home', 'auth.json'), text, { mode })
      const named = { OPENAI_API_KEY: 'sk-env' }
      const open = (own: Record<string, string>) =>
        resultOf(
          host().sessions.create({ cwd: folder, env: { ...env, ...own }, model: 'openai/gpt-5.1', store: false }),
        )
      const { session } = await open(named)
      await valuesOf(session.close())
      await expect(open({})).rejects.toThrow(says)
      await expect(list(named)).rejects.toMatchObject({
        code: 'bad_config',
        message: expect.stringMatching(says) as string,
      })
      const { checks } = await resultOf(host().config.doctor({ cwd: folder, env: { ...env, ...named } }))
      const check = checks.find(({ name }) => name === 'keys')
      expect(check).toMatchObject({ ok: false, message: expect.stringMatching(says) as string })
      expect(JSON.stringify(checks)).not.toContain(key)
    },
  )
})
