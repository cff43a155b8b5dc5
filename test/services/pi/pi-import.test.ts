// Tests `import_pi` with a folder of pi: what comes over, what stays, what is left, and a second import.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import type { ServerBackend } from '../../../lib/services/contract/server-backend.ts'
import { resultOf } from '../../support/result-of.ts'

let [top, pi, config] = ['', '', '']
let env: Record<string, string>
let backend: ServerBackend
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-pi-')))
  pi = path.join(top, 'home', '.pi', 'agent')
  config = path.join(top, 'config', 'rxpi')
  env = { RXPI_HOME: path.join(top, 'state'), XDG_CONFIG_HOME: path.join(top, 'config'), HOME: path.join(top, 'home'), RXPI_KEY_STORAGE: 'file' } // prettier-ignore
  backend = createServerBackend({ env, version: '1' })
  mkdirSync(path.join(top, 'work'), { recursive: true })
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

function write(file: string, content: unknown): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
}

const run = (more: { keys?: string[]; sessions?: boolean; dryRun?: boolean } = {}) =>
  resultOf(backend.imports.pi({ cwd: '/', env, ...more }))
const outcomes = async (more: Parameters<typeof run>[0] = {}) =>
  Object.fromEntries(
    (await run(more)).items.map(({ kind, name, outcome }) => [`${kind} ${path.basename(name)}`, outcome]),
  )
const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

function plantAll(): void {
  write(path.join(pi, 'settings.json'), { defaultProvider: 'openai', defaultModel: 'gpt-5', defaultThinkingLevel: 'max', steeringMode: 'all', httpIdleTimeoutMs: 5_000, compaction: { reserveTokens: 8_000 }, packages: [] }) // prettier-ignore
  write(path.join(pi, 'models.json'), { providers: { work: { baseUrl: 'https://w.example/v1', apiKey: '$WORK_KEY', models: [{ id: 'm', maxTokens: 5 }] }, plain: { baseUrl: 'https://p.example/v1', apiKey: 'sk-literal' } } }) // prettier-ignore
  write(path.join(pi, 'auth.json'), { openai: { type: 'api_key', key: 'sk-of-openai' }, groq: { type: 'api_key', key: '$GROQ' }, anthropic: { type: 'oauth', access: 'token' } }) // prettier-ignore
  write(path.join(pi, 'skills', 'deploy', 'SKILL.md'), '---\nname: deploy\ndescription: d\n---\n')
  write(path.join(pi, 'prompts', 'review.md'), 'Review $1')
  write(path.join(pi, 'APPEND_SYSTEM.md'), 'Be brief.')
  write(path.join(pi, 'themes', 'loud.json'), '{}')
  symlinkSync('/etc', path.join(pi, 'skills', 'linked'))
  const header = {
    type: 'session',
    version: 3,
    id: 'a',
    timestamp: '2026-01-01T00:00:00.000Z',
    cwd: path.join(top, 'work'),
  }
  const message = { type: 'message', id: 'b1', parentId: null, timestamp: '2026-01-01T00:00:01.000Z', message: { role: 'user', content: 'hello', timestamp: 1 } } // prettier-ignore
  write(path.join(pi, 'sessions', '--work--', 'one.jsonl'), `${JSON.stringify(header)}\n${JSON.stringify(message)}\n`)
  write(
    path.join(pi, 'sessions', '--gone--', 'two.jsonl'),
    `${JSON.stringify({ ...header, cwd: path.join(top, 'gone') })}\n`,
  )
}

const first = {
  'model work': 'imported',
  'model plain': 'imported',
  'setting model': 'imported',
  'setting thinkingLevel': 'left',
  'setting steeringMode': 'imported',
  'setting compaction': 'imported',
  'setting limits.idleMs': 'imported',
  'setting packages': 'left',
  'key anthropic': 'left',
  'skill deploy': 'imported',
  'skill linked': 'left',
  'prompt review.md': 'imported',
  'text APPEND_SYSTEM.md': 'imported',
  'other themes': 'left',
  'session two.jsonl': 'left',
}

describe('import_pi', () => {
  it('brings over what needs no consent, and leaves keys and sessions with the reason [COMMAND-import_pi]', async () => {
    plantAll()
    const { items, dir } = await run()
    expect(dir).toBe(pi)
    expect(items.filter(({ needsConsent }) => needsConsent).map(({ kind, name }) => `${kind} ${path.basename(name)}`)).toEqual(['key plain', 'key openai', 'key groq', 'session one.jsonl']) // prettier-ignore
    expect(json(path.join(config, 'settings.json'))).toEqual({ model: 'openai/gpt-5', steeringMode: 'all', limits: { idleMs: 5_000 }, compaction: { reserveTokens: 8_000 } }) // prettier-ignore
    expect(readFileSync(path.join(config, 'models.json'), 'utf8')).not.toContain('sk-literal')
    expect(readFileSync(path.join(config, 'skills', 'deploy', 'SKILL.md'), 'utf8')).toContain('name: deploy')
    expect(existsSync(path.join(config, 'skills', 'linked'))).toBe(false)
    expect(existsSync(path.join(top, 'state', 'auth.json'))).toBe(false)
  })

  it('brings over the keys and sessions that a person agreed to, once [COMMAND-import_pi]', async () => {
    plantAll()
    const consent = { keys: ['openai', 'plain'], sessions: true }
    expect(await outcomes(consent)).toEqual({ ...first, 'key openai': 'imported', 'key groq': 'left', 'session one.jsonl': 'imported' }) // prettier-ignore
    expect(JSON.stringify(await run(consent))).not.toMatch(/sk-of-openai|sk-literal|token/)
    expect(readFileSync(path.join(config, 'models.json'), 'utf8')).toContain('sk-literal')
    const listed = await resultOf(backend.stored.listSessions({ cwd: path.join(top, 'work') }))
    expect(listed.sessions.map(({ firstWords }) => firstWords)).toEqual(['hello'])
    const again = await outcomes(consent)
    expect(Object.values(again).filter((outcome) => outcome === 'imported')).toEqual([])
    expect(again).toMatchObject({ 'model work': 'present', 'setting model': 'present', 'key openai': 'present', 'skill deploy': 'present', 'session one.jsonl': 'present' }) // prettier-ignore
    expect((await resultOf(backend.stored.listSessions({ cwd: path.join(top, 'work') }))).sessions).toHaveLength(1)
  })

  it('keeps what the person has here', async () => {
    plantAll()
    write(path.join(config, 'settings.json'), { model: 'ollama/own' })
    write(path.join(config, 'models.json'), { providers: { work: { baseUrl: 'http://own/v1' } } })
    write(path.join(config, 'prompts', 'review.md'), 'mine')
    expect(await outcomes()).toMatchObject({
      'setting model': 'present',
      'model work': 'present',
      'prompt review.md': 'present',
    })
    expect(json(path.join(config, 'settings.json'))).toMatchObject({ model: 'ollama/own', steeringMode: 'all' })
    expect(json(path.join(config, 'models.json'))).toMatchObject({
      providers: { work: { baseUrl: 'http://own/v1' }, plain: {} },
    })
    expect(readFileSync(path.join(config, 'prompts', 'review.md'), 'utf8')).toBe('mine')
  })

  it('changes nothing in a dry run', async () => {
    plantAll()
    expect(await outcomes({ dryRun: true, sessions: true, keys: ['openai'] })).toMatchObject({ ...first, 'key openai': 'imported', 'session one.jsonl': 'imported' }) // prettier-ignore
    expect([existsSync(config), existsSync(path.join(top, 'state', 'auth.json'))]).toEqual([false, false])
  })

  it('leaves a broken file with its reason, and imports the others', async () => {
    plantAll()
    write(path.join(pi, 'models.json'), '{')
    write(path.join(pi, 'auth.json'), '[')
    expect(await outcomes()).toMatchObject({
      'model models.json': 'left',
      'key auth.json': 'left',
      'skill deploy': 'imported',
    })
  })

  it('changes nothing if the list of imported sessions is damaged', async () => {
    plantAll()
    write(path.join(top, 'state', 'imported-from-pi.json'), '{"v":1')
    await expect(run({ sessions: true })).rejects.toMatchObject({ code: 'storage' })
    expect(existsSync(config)).toBe(false)
  })

  it('fails without a folder of pi', async () => {
    await expect(run()).rejects.toMatchObject({ code: 'bad_request', message: expect.stringContaining(pi) as string })
  })
})
