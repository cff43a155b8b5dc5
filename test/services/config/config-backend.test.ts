// Tests settings: listed from the schema, checked before writing, and written atomically.
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { manageSettings } from '../../../lib/services/config/config-backend.ts'
import { settingKeys } from '../../../lib/store/index.ts'
import { takeLock } from '../../../lib/store/locks/session-lock.ts'

let [top, folder, file] = ['', '', '']
beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), 'rxpi-settings-'))
  folder = path.join(top, 'config', 'rxpi')
  file = path.join(folder, 'settings.json')
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

const last = <Value>(value$: Observable<Value>) => lastValueFrom(value$, { defaultValue: undefined })
const set = (key: string, value: unknown, env = {}) =>
  last(manageSettings(folder, path.join(top, 'state')).set({ cwd: '/', key, value, env }))
const get = (key: string, env = {}) => last(manageSettings(folder, path.join(top, 'state')).get({ cwd: '/', key, env }))
const written = (): unknown => JSON.parse(readFileSync(file, 'utf8'))

describe('models by role', () => {
  it('are set as a model, a list, or globs as JSON [CONFIG-roles]', async () => {
    await set('models.smol', 'a/b:low')
    await set('models.slow', 'a/b:high, c/d')
    await set('models.paths', '{"**/*.py": {"default": "a/py"}}')
    expect(written()).toEqual({
      models: { smol: 'a/b:low', slow: ['a/b:high', 'c/d'], paths: { '**/*.py': { default: 'a/py' } } },
    })
    expect((await get('models.slow'))?.setting).toMatchObject({ value: ['a/b:high', 'c/d'], from: 'file' })
  })

  it.each([
    ['models.smol', '@slow', /models\.smol cannot have this value/],
    ['models.smol', 'a b', /models\.smol cannot have this value/],
    ['models.smol', '', /models\.smol cannot have this value/],
    ['models.paths', '{"x": {"default": 1}}', /models\.paths cannot have this value: .*default/],
    ['models.paths', '{x}', /models\.paths takes an object as JSON/],
    ['models.fast', 'a/b', /no setting "models\.fast"/],
  ])('refuse %s %s', async (key, value, message) => {
    await expect(set(key, value)).rejects.toMatchObject({ code: 'bad_request', message: expect.stringMatching(message) as string }) // prettier-ignore
  })
})

describe('config_set', () => {
  it('writes a value, keeps the rest, and removes a setting that is null [COMMAND-config]', async () => {
    await set('model', 'ollama/qwen3')
    await set('limits.turns', 5)
    await set('limits.usd', 2.5)
    await set('tools', 'read, bash')
    expect(written()).toEqual({ model: 'ollama/qwen3', limits: { turns: 5, usd: 2.5 }, tools: ['read', 'bash'] })
    await set('limits.turns', null)
    await set('limits.usd', null)
    expect(written()).toEqual({ model: 'ollama/qwen3', tools: ['read', 'bash'] })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['25', 25],
    ['0.5', 0.5],
    [7, 7],
    ['always', 'always'],
    ['never', 'never'],
  ])('takes %j as a number or a word', async (value, stored) => {
    await set('toolDiscovery', value)
    expect(written()).toEqual({ toolDiscovery: stored })
  })

  it.each([
    ['limits.turns', 'many', /limits\.turns/],
    ['thinkingLevel', 'huge', /thinkingLevel/],
    ['snapshots', 'no', /snapshots/],
    ['toolDiscovery', 'often', /toolDiscovery/],
    ['toolDiscovery', '101', /toolDiscovery/],
    ['toolDiscovery', '', /toolDiscovery/],
    ['nothing', 1, /There is no setting "nothing"; the settings are model, /],
    ['modle', 1, /There is no setting "modle". Did you mean model\?$/],
    ['extensions.checksum', {}, /extensions\.checksum belongs to an extension.*write it into settings\.json/],
    ['limits', { turns: 1 }, /There is no setting "limits"/],
  ])('refuses %s = %j, and changes nothing [COMMAND-config]', async (key, value, reason) => {
    await set('model', 'a/b')
    await expect(set(key, value)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(reason) as string,
    })
    expect(written()).toEqual({ model: 'a/b' })
  })

  it('does not change an invalid file', async () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, '{ "model": "a/b", // mine\n}')
    await expect(set('model', 'c/d')).rejects.toMatchObject({ code: 'bad_config' })
    expect(readFileSync(file, 'utf8')).toContain('// mine')
  })

  it('waits for another process that changes the file, and loses neither change', async () => {
    mkdirSync(folder, { recursive: true })
    const other = takeLock({ file, sessionId: 'another' })
    const changed = set('limits.turns', 5)
    writeFileSync(file, '{"model":"a/b"}')
    other.release()
    expect((await changed)?.setting).toMatchObject({ value: 5, from: 'file' })
    expect(written()).toEqual({ model: 'a/b', limits: { turns: 5 } })
    expect(readdirSync(folder)).toEqual(['settings.json'])
  })

  it('changes a file that two folders link to in one process at a time', async () => {
    mkdirSync(folder, { recursive: true })
    const dotfile = path.join(top, 'dotfile.json')
    writeFileSync(dotfile, '{}')
    symlinkSync(dotfile, file)
    const other = takeLock({ file: realpathSync(dotfile), sessionId: 'another' })
    const changed = set('model', 'a/b')
    expect(readFileSync(dotfile, 'utf8')).toBe('{}')
    other.release()
    await changed
    expect(written()).toEqual({ model: 'a/b' })
  })

  it('changes nothing if the caller unsubscribes while it waits', () => {
    mkdirSync(folder, { recursive: true })
    const other = takeLock({ file, sessionId: 'another' })
    manageSettings(folder, path.join(top, 'state'))
      .set({ cwd: '/', key: 'model', value: 'a/b' })
      .subscribe()
      .unsubscribe()
    other.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('leaves no folder behind if the first value is refused', async () => {
    await expect(set('thinkingLevel', 'huge')).rejects.toMatchObject({ code: 'bad_request' })
    expect(readdirSync(top)).toEqual([])
  })

  it('replaces the target of a link, not the link', async () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(top, 'dotfile.json'), '{}')
    symlinkSync(path.join(top, 'dotfile.json'), file)
    await set('model', 'a/b')
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(written()).toEqual({ model: 'a/b' })
  })
})

describe('config_get and config_list', () => {
  it('return the effective value and its source: the environment precedes the file [COMMAND-config]', async () => {
    await set('model', 'a/b')
    const own = { key: 'model', takes: 'a text', variable: 'RXPI_MODEL' }
    expect((await get('model'))?.setting).toEqual({ ...own, value: 'a/b', from: 'file' })
    expect((await get('model', { RXPI_MODEL: 'c/d' }))?.setting).toEqual({ ...own, value: 'c/d', from: 'environment' })
    expect((await get('limits.turns'))?.setting).not.toHaveProperty('value')
  })

  it('tell the layer of each value: default, file, trusted project, environment [CONFIG-folder]', async () => {
    await set('limits.usd', 5)
    await set('permissions.deny', ['write'])
    await set('sandbox.network.allow', 'example.com')
    const project = path.join(top, 'project')
    mkdirSync(path.join(project, '.rxpi'), { recursive: true })
    const layer = { limits: { usd: 2, turns: 4 }, permissions: { deny: ['bash'] }, approve: 'auto' }
    writeFileSync(path.join(project, '.rxpi', 'settings.json'), JSON.stringify(layer))
    const backend = manageSettings(folder, path.join(top, 'state'))
    const list = async (trust: boolean) => {
      const found = await last(backend.list({ cwd: project, env: { RXPI_MAX_TURNS: '9' }, trust }))
      const keys = ['limits.usd', 'limits.turns', 'permissions.deny', 'sandbox.network.allow', 'approve', 'model']
      const shown = keys.map((key) => found?.settings.find((each) => each.key === key))
      return { values: shown.map((each) => [each?.value, each?.from, each?.default]), warnings: found?.warnings, project: found?.project } // prettier-ignore
    }
    const own = [
      [['example.com'], 'file', undefined],
      [undefined, undefined, 'writes'],
      [undefined, undefined, undefined],
    ]
    expect(await list(false)).toEqual({
      values: [[5, 'file', 0], [9, 'environment', 0], [['write'], 'file', undefined], ...own],
      warnings: [expect.stringContaining('the folder is not trusted')],
    })
    expect(await list(true)).toEqual({
      values: [[2, 'project', 0], [9, 'environment', 0], [['write', 'bash'], 'project', undefined], ...own],
      warnings: [expect.stringContaining('the project cannot set approve')],
      project: path.join(project, '.rxpi', 'settings.json'),
    })
  })

  it('list every setting of the schema with its valid values', async () => {
    const listed = await last(manageSettings(folder, path.join(top, 'state')).list({ cwd: '/' }))
    expect(listed?.settings.map(({ key }) => key)).toEqual(settingKeys().map(({ key }) => key))
    expect(listed?.settings.find(({ key }) => key === 'steering')?.takes).toBe('wait, interrupt')
    expect(listed?.settings.find(({ key }) => key === 'bash.timeoutMs')).toBeDefined()
  })
})
