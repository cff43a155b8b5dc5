// Tests how settings are loaded from files and the environment.
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfiguration, mergeSettings } from '../../../lib/store/config/load-configuration.ts'
import { settingVariables } from '../../../lib/store/config/setting-keys.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

let home: string
let config: string

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-config-'))
  config = path.join(home, '.config', 'rxpi')
  mkdirSync(config, { recursive: true })
})
afterEach(() => rmSync(home, { recursive: true }))

const load = (env: Record<string, string> = {}) => loadConfiguration({ env: { HOME: home, ...env } })

function write(name: string, content: unknown, mode = 0o600): string {
  const file = path.join(config, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  chmodSync(file, mode)
  return file
}

function failure(act: () => unknown): Failure {
  try {
    act()
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown
    throw thrown
  }
  throw new Error('nothing was thrown')
}

describe('layers', () => {
  it('set nothing if there are no files, no folder and no variables', () => {
    expect(load()).toEqual({ settings: {}, models: { providers: {} }, warnings: [] })
    expect(loadConfiguration({ env: {}, configFolder: '/nowhere' }).settings).toEqual({})
  })

  it('are the files of the folder [CONFIG-files]', () => {
    const settings = { model: 'ollama/qwen3', thinkingLevel: 'low', limits: { turns: 5 }, bash: { timeoutMs: 0 } }
    const models = { providers: { local: { baseUrl: 'http://127.0.0.1:1', apiKey: '$KEY', models: [{ id: 'm' }] } } }
    write('settings.json', settings)
    write('models.json', models)
    expect(load()).toEqual({ settings, models, warnings: [] })
  })

  it('the environment wins key by key [CONFIG-layers]', () => {
    write('settings.json', { model: 'a/b', thinkingLevel: 'low', limits: { turns: 5, usd: 1 } })
    expect(load({ RXPI_MODEL: 'c/d', RXPI_MAX_TURNS: '7' }).settings).toEqual({
      model: 'c/d',
      thinkingLevel: 'low',
      limits: { turns: 7, usd: 1 },
    })
  })

  it('read XDG_CONFIG_HOME [CONFIG-files]', () => {
    write('settings.json', { model: 'a/b' })
    expect(load({ HOME: '/nowhere', XDG_CONFIG_HOME: path.join(home, '.config') }).settings).toEqual({ model: 'a/b' })
  })

  it('accept a file with a byte order mark', () => {
    write('settings.json', '\ufeff{"model":"a/b"}')
    expect(load().settings).toEqual({ model: 'a/b' })
  })

  it('read nothing from the working folder, and no .env [S2a]', () => {
    const cwd = process.cwd()
    const project = path.join(home, 'project')
    mkdirSync(path.join(project, '.rxpi'), { recursive: true })
    writeFileSync(path.join(project, '.rxpi', 'settings.json'), '{"model":"evil/model"}')
    for (const folder of ['.', '.rxpi']) {
      writeFileSync(path.join(project, folder, 'models.json'), '{"providers":{"evil":{"baseUrl":"http://x"}}}')
    }
    writeFileSync(path.join(project, '.env'), 'RXPI_MODEL=evil/model')
    try {
      process.chdir(project)
      expect(load()).toEqual({ settings: {}, models: { providers: {} }, warnings: [] })
    } finally {
      process.chdir(cwd)
    }
  })
})

describe('the environment', () => {
  it('has a variable for each of its keys, with a value of its type [CONFIG-environment]', () => {
    const env = {
      RXPI_MODEL: 'a/b',
      RXPI_FALLBACKS: 'c/d, e/f',
      RXPI_THINKING: 'high',
      RXPI_TOOLS: 'read, bash,,',
      RXPI_TOOL_EXECUTION: 'sequential',
      RXPI_STEERING: 'interrupt',
      RXPI_STEERING_MODE: 'all',
      RXPI_FOLLOW_UP_MODE: 'one-at-a-time',
      RXPI_KEY_STORAGE: 'file',
      RXPI_APPROVE: 'ask',
      RXPI_SANDBOX: 'read-only',
      RXPI_THEME: 'light',
      RXPI_NOTIFY: 'off',
      RXPI_MAX_TURNS: '3',
      RXPI_MAX_TOKENS: '1000',
      RXPI_MAX_USD: '0.5',
      RXPI_MAX_SAME_CALLS: '4',
      RXPI_IDLE_MS: '0',
      RXPI_WALL_CLOCK_MS: '60000',
      RXPI_RETRY_BUSY_MS: '7',
      RXPI_LOCAL_MODELS_MS: '5',
      RXPI_BASH_TIMEOUT_MS: '10',
    }
    expect(Object.keys(env)).toEqual(Object.keys(settingVariables))
    expect(load(env).settings).toEqual({
      model: 'a/b',
      fallbacks: ['c/d', 'e/f'],
      thinkingLevel: 'high',
      tools: ['read', 'bash'],
      toolExecution: 'sequential',
      steering: 'interrupt',
      steeringMode: 'all',
      followUpMode: 'one-at-a-time',
      keyStorage: 'file',
      approve: 'ask',
      sandbox: { mode: 'read-only' },
      theme: 'light',
      notifications: 'off',
      retry: { busyMs: 7 },
      localModels: { withinMs: 5 },
      limits: { turns: 3, tokens: 1000, usd: 0.5, sameCalls: 4, idleMs: 0, wallClockMs: 60_000 },
      bash: { timeoutMs: 10 },
    })
  })

  it.each([
    ['RXPI_THINKING', 'very', /RXPI_THINKING is not valid.*off, minimal, low/],
    ['RXPI_MAX_TURNS', 'ten', /RXPI_MAX_TURNS is not valid.*a whole number/],
    ['RXPI_MAX_TURNS', '1.5', /RXPI_MAX_TURNS is not valid.*a whole number/],
    ['RXPI_MAX_USD', '-1', /RXPI_MAX_USD is not valid.*number/],
    ['RXPI_TOOL_EXECUTION', 'both', /RXPI_TOOL_EXECUTION is not valid.*parallel/],
  ])('is refused for %s=%s with the name of the variable [CONFIG-valid]', (variable, value, message) => {
    expect(failure(() => load({ [variable]: value }))).toMatchObject({
      code: 'bad_config',
      message: expect.stringMatching(message) as string,
      data: { variable },
    })
  })

  it('treats an empty variable as unset and ignores unknown ones', () => {
    expect(load({ RXPI_MODEL: '', RXPI_MAX_TURNS: '', RXPI_WHATEVER: 'x', RXPI_SOCKET: '/s' }).settings).toEqual({})
  })
})

describe('an invalid file', () => {
  it.each([
    ['settings.json', { thinkingLevel: 'very' }, /thinkingLevel .*off, minimal/],
    ['settings.json', { limits: { turns: -1 } }, /limits\.turns must be at least 0/],
    ['settings.json', [], /must be an object/],
    ['settings.json', '{\n  "model": "a/b",\n}', /not JSON \(line 3, column 1: a name in double quotes is expected\)/],
    ['settings.json', '', /not JSON \(line 1, column 1: the text ends too early\)/],
    ['models.json', {}, /providers/],
    ['models.json', { providers: { local: { baseUrl: 'file:///x' } } }, /providers\.local\.baseUrl/],
    ['models.json', '{"providers":', /not JSON \(line 1, column 14: the text ends too early\)/],
  ])('%s with %j is refused with file, place and reason [CONFIG-valid]', (name, content, reason) => {
    const file = write(name, content)
    const { code, message } = failure(() => load())
    expect([code, message.startsWith(`${file} is not valid: `)]).toEqual(['bad_config', true])
    expect(message).toMatch(reason)
  })

  it.each([
    '{"providers":{"a":{"apiKey":sk-secret-1}}}',
    '{"providers":{"a":{"apiKey":"sk-secret-1" x}}}',
    '{"providers":{"a":{"apiKey":"sk-secret-1"}}',
    '{"providers":{"a":{"baseUrl":"sk-secret-1"}}}',
  ])('is refused without its content: %s [CONFIG-secret]', (content) => {
    write('models.json', content)
    const thrown = failure(() => load())
    expect(`${thrown.message} ${JSON.stringify(thrown.data)} ${String(thrown.cause)}`).not.toMatch(/secret/)
  })

  it('is no file with an unknown key, and the warning has no content of it [CONFIG-secret]', () => {
    write('models.json', '{"providers":{"a":{"apiKey":"sk-secret-1","x":"sk-secret-2"}}}')
    expect(load().warnings).toHaveLength(1)
    expect(JSON.stringify(load().warnings)).not.toMatch(/secret/)
  })

  it.each<[string, (file: string) => void]>([
    ['a folder', (file) => mkdirSync(file)],
    ['a pipe without a writer', (file) => execFileSync('mkfifo', [file])],
    ['a device without an end', (file) => symlinkSync('/dev/zero', file)],
  ])('is refused if it is %s', (_, make) => {
    make(path.join(config, 'settings.json'))
    expect(failure(() => load())).toMatchObject({
      code: 'bad_config',
      message: expect.stringMatching(/settings\.json could not be read: it is not a regular file$/) as string,
    })
  })
})

describe('a file that others can write', () => {
  it.each([
    ['models.json', { providers: {} }, 0o620],
    ['models.json', { providers: {} }, 0o602],
    ['settings.json', {}, 0o666],
  ])('%s causes a warning (%j, mode %o)', (name, content, mode) => {
    const file = write(name, content, mode)
    expect(load().warnings).toEqual([
      {
        code: 'config_writable_by_others',
        message: expect.stringMatching(/Other users may write .*chmod 600/) as string,
        context: { file },
      },
    ])
  })

  it('is not a file that others can only read', () => {
    write('models.json', { providers: {} }, 0o644)
    expect(load().warnings).toEqual([])
  })

  it.skipIf(process.geteuid?.() !== 0)('includes a file of another user', () => {
    chownSync(write('models.json', { providers: {} }), 65534, 65534)
    expect(load().warnings).toMatchObject([{ message: expect.stringMatching(/Another user owns/) as string }])
  })
})

describe('mergeSettings', () => {
  it('is empty for no layers', () => expect(mergeSettings()).toEqual({}))

  it('the last layer wins and keeps the limits that it does not name [CONFIG-layers]', () => {
    expect(
      mergeSettings(
        { tools: ['a'], limits: { turns: 1, usd: 2 } },
        { model: 'a/b' },
        { tools: [], limits: { usd: 3 } },
      ),
    ).toEqual({ model: 'a/b', tools: [], limits: { turns: 1, usd: 3 } })
  })
})
