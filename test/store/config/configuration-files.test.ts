// Tests what unknown, reserved and foreign keys of settings.json and models.json do.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { editSetting } from '../../../lib/store/config/edit-settings.ts'
import { loadConfiguration } from '../../../lib/store/config/load-configuration.ts'
import { settingKeys } from '../../../lib/store/config/setting-keys.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

let folder: string

beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'rxpi-user-files-')), 'rxpi')
  mkdirSync(folder)
})
afterEach(() => rmSync(path.dirname(folder), { recursive: true }))

const load = () => loadConfiguration({ env: {}, configFolder: folder })
const write = (name: string, content: unknown): void =>
  writeFileSync(path.join(folder, name), JSON.stringify(content), { mode: 0o600 })
const messages = (): string[] => load().warnings.map(({ message }) => message.replace(`${folder}/`, ''))

describe('an unknown key', () => {
  it.each<[string, object, object, string]>([
    [
      'settings.json',
      { modle: 'a/b', thinkingLevel: 'low' },
      { settings: { thinkingLevel: 'low' } },
      'settings.json: the key modle is unknown and has no effect. Did you mean model?',
    ],
    [
      'settings.json',
      { limits: { turns: 5, idleMS: 1 } },
      { settings: { limits: { turns: 5 } } },
      'settings.json: the key limits.idleMS is unknown and has no effect. Did you mean limits.idleMs?',
    ],
    [
      'settings.json',
      { defaultModel: 'a/b' },
      { settings: {} },
      'settings.json: the key defaultModel is unknown and has no effect. Did you mean model?',
    ],
    [
      'models.json',
      { providers: { local: { baseURL: 'http://x' } } },
      { models: { providers: { local: {} } } },
      'models.json: the key providers.local.baseURL is unknown and has no effect. Did you mean providers.local.baseUrl?',
    ],
    [
      'models.json',
      { providers: { local: { models: [{ id: 'm', maxTokns: 5 }] } } },
      { models: { providers: { local: { models: [{ id: 'm' }] } } } },
      'models.json: the key providers.local.models[0].maxTokns is unknown and has no effect. Did you mean providers.local.models[0].maxTokens?',
    ],
    [
      'models.json',
      { providers: { local: { compat: { 'openai-completions': { maxTokenField: 'x' } } } } },
      { models: { providers: { local: { compat: { 'openai-completions': {} } } } } },
      'models.json: the key providers.local.compat.openai-completions.maxTokenField is unknown and has no effect. Did you mean providers.local.compat.openai-completions.maxTokensField?',
    ],
    [
      'models.json',
      { providers: { 'Bad Name': {}, good: { apiKey: 'k' } } },
      { models: { providers: { good: { apiKey: 'k' } } } },
      'models.json: providers."Bad Name" is left out: the name of a provider has lower-case letters, digits and . _ - only',
    ],
    [
      'settings.json',
      { 'a/b~c': 1, quantum: true },
      { settings: {} },
      'settings.json: the key "a/b~c" is unknown and has no effect',
    ],
  ])(
    'of %s %j is left out and reported with the nearest known key [CONFIG-unknown_keys]',
    (name, content, rest, message) => {
      write(name, content)
      expect(load()).toMatchObject(rest)
      expect(messages()[0]).toBe(message)
    },
  )

  it('is counted after the fifth [CONFIG-unknown_keys]', () => {
    write('settings.json', Object.fromEntries('abcdefgh'.split('').map((letter) => [letter, 1])))
    expect(messages()).toHaveLength(6)
    expect(messages().at(-1)).toBe('settings.json: 3 more keys are unknown and have no effect')
  })

  it('stays in the file when another key changes [CONFIG-unknown_keys]', async () => {
    write('settings.json', { modle: 'a/b', trust: [1], extensions: { mine: { deep: true } } })
    await lastValueFrom(editSetting(folder, 'thinkingLevel', 'low'), { defaultValue: {} })
    expect(JSON.parse(readFileSync(path.join(folder, 'settings.json'), 'utf8'))).toEqual({
      modle: 'a/b',
      trust: [1],
      extensions: { mine: { deep: true } },
      thinkingLevel: 'low',
    })
  })

  it.each<[string, unknown, object]>([
    ['thinkingLevel', 'low', { thinkingLevel: 'low', modle: 'a/b' }],
    ['thinkingLevel', undefined, { modle: 'a/b' }],
  ])('an invalid value is replaced by %s = %s', async (key, value, after) => {
    write('settings.json', { thinkingLevel: 'very', modle: 'a/b' })
    await lastValueFrom(editSetting(folder, key, value), { defaultValue: {} })
    expect(JSON.parse(readFileSync(path.join(folder, 'settings.json'), 'utf8'))).toEqual(after)
  })

  it.each<[string, unknown, string, RegExp]>([
    ['theme', 'dark', 'bad_config', /settings\.json is not valid: .*thinkingLevel/],
    ['thinkingLevel', 'wrong', 'bad_request', /^thinkingLevel cannot have this value: it must be one of/],
  ])('an invalid value is not written: %s = %s', async (key, value, code, message) => {
    write('settings.json', { thinkingLevel: 'very' })
    const failed = await lastValueFrom(editSetting(folder, key, value), { defaultValue: {} }).catch((thrown: unknown) =>
      Failure.from(thrown),
    )
    expect(failed).toMatchObject({ code })
    expect((failed as Failure).message).toMatch(message)
    expect(JSON.parse(readFileSync(path.join(folder, 'settings.json'), 'utf8'))).toEqual({ thinkingLevel: 'very' })
  })

  it('hides no invalid value behind it', () => {
    write('settings.json', { modle: 'a/b', thinkingLevel: 'very' })
    expect(load).toThrow(/thinkingLevel/)
  })

  it('is not removed from another object than the one that has it', () => {
    write('models.json', { providers: { a: { models: [{ id: 'x' }, { id: 'y', ids: 1 }] } } })
    expect(load().models.providers['a']?.models).toEqual([{ id: 'x' }, { id: 'y' }])
  })
})

describe('a name of settings.json', () => {
  it('trust is reserved: it is accepted, and a warning says that it has no effect [CONFIG-reserved]', () => {
    write('settings.json', { trust: { any: ['thing'] } })
    expect(load()).toMatchObject({ settings: {}, warnings: [{ code: 'config_reserved_key' }] })
    expect(messages()[0]).toContain('settings.json: trust is a name for a later version of rxpi')
  })

  it('mcpServers has servers by name; an unknown key of one is left out with a warning', () => {
    write('settings.json', { mcpServers: { files: { command: 'npx', args: ['-y', 'x'], autoApprove: ['a'] } } })
    expect(load().settings.mcpServers).toEqual({ files: { command: 'npx', args: ['-y', 'x'] } })
    expect(messages()[0]).toContain('mcpServers.files.autoApprove is unknown')
    write('settings.json', { mcpServers: { 'my server': { command: 'a' }, ok: { url: 'https://x.example' } } })
    expect(load().settings.mcpServers).toEqual({ ok: { url: 'https://x.example' } })
    write('settings.json', { mcpServers: { files: { command: 1 } } })
    expect(load).toThrow(/mcpServers\.files\.command/)
  })

  it('compaction has three keys', () => {
    write('settings.json', { compaction: { enabled: true, reserveTokens: 1, keepRecentTokens: 2 } })
    expect(messages()).toEqual([])
    write('settings.json', { compaction: { enable: true } })
    expect(messages()[0]).toBe(
      'settings.json: the key compaction.enable is unknown and has no effect. Did you mean compaction.enabled?',
    )
  })

  it('extensions.<name> is free for extensions, without a warning [CONFIG-reserved]', () => {
    const extensions = { mine: { colour: 'red' }, other: 3 }
    write('settings.json', { extensions })
    expect(load()).toEqual({ settings: { extensions }, models: { providers: {} }, warnings: [] })
    expect(settingKeys().some(({ key }) => key.startsWith('extensions'))).toBe(false)
  })
})
