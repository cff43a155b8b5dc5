// Tests which models the proxy serves.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lastValueFrom, map } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { registerProvider } from '../../../lib/providers/custom/register-provider.ts'
import { scripted } from '../../../lib/providers/offline/scripted.ts'
import { proxySetup } from '../../../lib/services/proxy/proxy-setup.ts'
import { modelName } from '../../../lib/streams/models/model.ts'

let folder: string
let env: Record<string, string>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rxpi-proxy-'))
  mkdirSync(join(folder, 'config/rxpi'), { recursive: true, mode: 0o700 })
  env = { RXPI_HOME: join(folder, 'home'), XDG_CONFIG_HOME: join(folder, 'config'), OPENAI_API_KEY: 'sk-test-key' }
  const models = { providers: { local: { baseUrl: 'http://127.0.0.1:1/v1', models: [{ id: 'listed' }] } } }
  writeFileSync(join(folder, 'config/rxpi/models.json'), JSON.stringify(models), { mode: 0o600 })
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const none = { defaultValue: '' }
const found = (name: string, named: readonly string[] = []): Promise<string> =>
  lastValueFrom(
    proxySetup(env, named)
      .models.find(name)
      .pipe(map(({ model }) => modelName(model))),
    none,
  )

describe('the models of the proxy', () => {
  it.each(['openai/gpt-6-sol', 'local/listed', 'demo/guide'])('are found by name: %s', async (name) => {
    expect(await found(name)).toBe(name)
  })

  it('can be registered', async () => {
    const unregister = registerProvider('mine', scripted([]), { models: ['m'] })
    expect(await found('mine/m')).toBe('mine/m')
    await expect(found('mine/other')).rejects.toMatchObject({ code: 'bad_request' })
    unregister()
  })

  it('can be named at the start of the proxy', async () => {
    expect(await found('local/unlisted', ['local/unlisted'])).toBe('local/unlisted')
  })

  it.each([
    'openai/../../v1/files',
    'openai/gpt-6-sol/../x',
    'openai/unknown-model',
    'local/unlisted',
    'ollama/qwen3',
    'scripted//etc/hostname',
    'replay/session.jsonl',
    'constructor/x',
    'openai',
    '/gpt-6-sol',
    'openai/',
    'http://evil.invalid/v1',
  ])('include no others: %s [S11a]', async (name) => {
    await expect(found(name)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(`The proxy knows no model ${JSON.stringify(name)}`) as string,
    })
  })

  it('fail with a remedy if a key is missing', async () => {
    await expect(found('anthropic/claude-sonnet-5-5')).rejects.toMatchObject({ data: { kind: 'auth' } })
  })
})
