// Tests the settings of a trusted project: they tighten the user's, and the rest is named with its file and key.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfiguration } from '../../../lib/store/config/load-configuration.ts'
import { settingKeys } from '../../../lib/store/config/setting-keys.ts'
import { tighteningRules, withoutRule } from '../../../lib/store/config/tightening.ts'

let [top, file] = ['', '']
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-layer-')))
  file = path.join(top, 'project', '.rxpi', 'settings.json')
  mkdirSync(path.dirname(file), { recursive: true })
  mkdirSync(path.join(top, 'config'))
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

interface Layers {
  readonly users?: object
  readonly project: object | string
  readonly env?: Record<string, string>
}

function load({ users = {}, project, env = {} }: Layers) {
  writeFileSync(path.join(top, 'config', 'settings.json'), JSON.stringify(users), { mode: 0o600 })
  return loadConfiguration({
    env,
    configFolder: path.join(top, 'config'),
    project: {
      folder: path.join(top, 'project'),
      settings: Buffer.from(typeof project === 'string' ? project : JSON.stringify(project)),
      usualTools: ['read', 'write', 'bash'],
      isKnownModel: (name) => name.startsWith('mine/'),
    },
  })
}

const notices = (layers: Layers) => load(layers).warnings.map(({ message }) => message)

describe('a trusted project', () => {
  it.each([
    ['a lower limit', { limits: { usd: 5 } }, { limits: { usd: 2 } }, { limits: { usd: 2 } }],
    ['a limit without one of the user', {}, { limits: { turns: 9 } }, { limits: { turns: 9 } }],
    [
      'the other limits stay',
      { limits: { usd: 5, turns: 3 } },
      { limits: { turns: 2 } },
      { limits: { usd: 5, turns: 2 } },
    ],
    ['a known model', { model: 'mine/a' }, { model: 'mine/b' }, { model: 'mine/b' }],
    [
      'a model in place of the user’s default role',
      { models: { default: 'mine/a', smol: 'mine/s' } },
      { model: 'mine/b' },
      { model: 'mine/b', models: { smol: 'mine/s' } },
    ],
    [
      'roles with levels and globs of known models',
      { models: { smol: 'mine/a', paths: { x: { default: 'mine/x' } } } },
      { models: { smol: ['mine/b:low', 'mine/c'], paths: { y: { plan: 'mine/y' } } } },
      { models: { smol: ['mine/b:low', 'mine/c'], paths: { x: { default: 'mine/x' }, y: { plan: 'mine/y' } } } },
    ],
    ['fewer tools', {}, { tools: ['read'] }, { tools: ['read'] }],
    ['no tools', {}, { tools: [] }, { tools: [] }],
    ['more secrets', { secrets: { names: ['A'] } }, { secrets: { names: ['B'] } }, { secrets: { names: ['A', 'B'] } }],
    ['redaction', { secrets: { redact: false } }, { secrets: { redact: true } }, { secrets: { redact: true } }],
    ['shorter commands', {}, { bash: { timeoutMs: 1_000 } }, { bash: { timeoutMs: 1_000 } }],
    [
      'fewer processes',
      { sandbox: { mode: 'workspace' } },
      { sandbox: { processes: 10 } },
      { sandbox: { mode: 'workspace', processes: 10 } },
    ],
  ])('tightens: %s [S2b]', (_, users, project, expected) => {
    expect(load({ users, project })).toMatchObject({ settings: expected, warnings: [] })
    expect(load({ users, project }).settings).toEqual(expected)
  })

  it('adds ask and deny rules, beside those of the user [S2b]', () => {
    const users = { permissions: { allow: ['bash'], deny: ['read(a)'] } }
    const { settings, project } = load({ users, project: { permissions: { ask: ['bash'], deny: ['write'] } } })
    expect(settings.permissions).toEqual(users.permissions)
    expect(project).toMatchObject({ file, permissions: { ask: ['bash'], deny: ['write'] }, warnings: [] })
  })

  it.each([
    ['approve', { approve: 'auto' }],
    ['approve', { approve: 'ask' }],
    ['sandbox.mode', { sandbox: { mode: 'off' } }],
    ['sandbox.network.allow', { sandbox: { network: { allow: ['evil.example'] } } }],
    ['bash.persist', { bash: { persist: true } }],
    ['sandbox.writable', { sandbox: { writable: ['/'] } }],
    ['sandbox.processes', { sandbox: { processes: 0 } }],
    ['permissions.allow', { permissions: { allow: ['bash'] } }],
    ['secrets.redact', { secrets: { redact: false } }],
    ['secrets.env', { secrets: { env: 'keep' } }],
    ['snapshots', { snapshots: false }],
    ['keyStorage', { keyStorage: 'file' }],
    ['limits.usd', { limits: { usd: 6 } }],
    ['limits.usd', { limits: { usd: 0 } }],
    ['limits.wallClockMs', { limits: { wallClockMs: 0 } }],
    ['retry.busyMs', { retry: { busyMs: 700_000 } }],
    ['bash.timeoutMs', { bash: { timeoutMs: 0 } }],
    ['tools', { tools: ['bash', 'ask'] }],
    ['model', { model: 'evil/model' }],
    ['model', { model: '!touch /tmp/planted' }],
    ['model', { model: '$SECRET_KEY' }],
    ['fallbacks', { fallbacks: ['evil/model'] }],
    ['models.vision', { models: { vision: ['mine/a', 'evil/model'] } }],
    ['models.paths', { models: { paths: { x: { plan: 'evil/y' } } } }],
    ['mcpServers', { mcpServers: { a: { command: 'touch planted' } } }],
    ['trust', { trust: true }],
    ['extensions', { extensions: { own: {} } }],
    ['toolExecution', { toolExecution: 'parallel' }],
    ['theme', { theme: 'dark' }],
  ])('cannot set %s by %j, and a warning names file and key [S2b]', (key, project) => {
    const users = { limits: { usd: 5 }, tools: ['read', 'bash'] }
    const { settings, warnings } = load({ users, project })
    expect(settings).toEqual(key === 'tools' ? { ...users, tools: ['bash'] } : users)
    expect(warnings).toEqual([
      {
        code: 'config_project_ignored',
        message: expect.stringContaining(`${file}: the project cannot set ${key}: `) as string,
        context: { file },
      },
    ])
  })

  it('has commands at events, which are no settings, and an unknown event is named [S2c]', () => {
    const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'theirs' }] }] }
    const users = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }] } }
    const { settings, project, warnings } = load({ users, project: { hooks: { ...hooks, SubagentStop: [] } } })
    expect([settings, project?.hooks]).toEqual([users, hooks])
    expect(warnings.map(({ message }) => message).join()).toContain('hooks.SubagentStop')
    expect(() => load({ project: { hooks: { Stop: 'theirs' } } })).toThrow(/hooks\.Stop/)
  })

  it.each([
    ['providers', { providers: { evil: { baseUrl: 'http://evil.example/v1', apiKey: '!touch planted' } } }],
    ['headers', { headers: { authorization: '$OPENAI_API_KEY' } }],
    ['baseUrl', { baseUrl: 'http://evil.example' }],
    ['apiKey', { apiKey: '$OPENAI_API_KEY' }],
    ['env', { env: { HTTPS_PROXY: 'http://evil.example' } }],
    ['proxy', { proxy: 'http://evil.example' }],
  ])('has no key %s for endpoints, keys and proxies [S2b]', (key, project) => {
    expect(load({ project }).settings).toEqual({})
    expect(notices({ project })).toEqual([
      expect.stringContaining(`${file}: the key ${key} is unknown and has no effect`),
    ])
  })

  it('with its own models.json and auth.json gets a warning for each; they are not read [S2b]', () => {
    for (const name of ['models.json', 'auth.json'])
      writeFileSync(path.join(path.dirname(file), name), '{ not even JSON')
    const { models, warnings } = load({ project: {} })
    expect(models).toEqual({ providers: {} })
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('.rxpi/models.json is not read'),
      expect.stringContaining('.rxpi/auth.json is not read'),
    ])
  })

  it('is a layer below the environment, which the person sets [CONFIG-folder]', () => {
    const { settings } = load({
      project: { limits: { usd: 1 }, model: 'mine/b' },
      env: { RXPI_MAX_USD: '7', RXPI_MODEL: 'a/c' },
    })
    expect(settings).toEqual({ limits: { usd: 7 }, model: 'a/c' })
  })

  it('with an invalid file is refused with file and key, not read in part', () => {
    const project = { permissions: { deny: ['bash'] }, limits: { usd: 'all' } }
    expect(() => load({ project })).toThrow(`${file} is not valid: limits.usd must be a number`)
    expect(() => load({ project: '{' })).toThrow(`${file} is not valid: it is not JSON`)
  })

  it('names five settings without effect and counts the others', () => {
    const project = { approve: 'auto', snapshots: false, theme: 'dark', notifications: 'off', keyStorage: 'file', steering: 'interrupt', steeringMode: 'all' } // prettier-ignore
    expect(notices({ project })).toHaveLength(6)
    expect(notices({ project }).at(-1)).toContain('the project cannot set 2 more keys either')
  })
})

it('a setting without a rule has no effect [S2b]', () => {
  const facts = { isKnownModel: () => true, usualTools: [] }
  expect(withoutRule('strict', undefined, facts)).toEqual({ reason: expect.any(String) as string })
})

it('every setting has a rule about projects', () => {
  expect(settingKeys().map(({ key }) => key).filter((key) => tighteningRules[key] === undefined)).toEqual([]) // prettier-ignore
})
