// Tests the commands about extensions: decisions about shown content, names, kill, and the audit.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { personName } from '../../../lib/host/process/person-name.ts'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { extensionTrust } from '../../../lib/extensions/index.ts'
import { lazyExtensionsBackend } from '../../../lib/services/backend/lazy-backends.ts'
import type { ExtensionsBackend, Fields } from '../../../lib/services/contract/server-backend.ts'
import { withFileLock } from '../../../lib/store/locks/with-file-lock.ts'

let top = ''
let backend: ExtensionsBackend
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-ext-backend-')))
  const home = path.join(top, 'home')
  backend = lazyExtensionsBackend({ home, locked: withFileLock, config: path.join(top, 'config'), trust: extensionTrust({ home, locked: withFileLock }) }) // prettier-ignore
  write('config/extensions/checksum.ts', "import { defineExtension } from 'rxpi'")
  write('project/.git/HEAD')
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

function write(name: string, content = ''): string {
  const file = path.join(top, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

/** The one value; a command that emits nothing fails the test. */
const valueOf = <Value>(value$: Observable<Value>): Promise<Value> => lastValueFrom(value$) // eslint-disable-line rxjs-x/no-ignored-default-value
const cwd = () => path.join(top, 'project')
const list = (fields: Partial<Fields<'extension_list'>> = {}) => valueOf(backend.list({ cwd: cwd(), ...fields }))
const digestOf = async (name: string, fields = {}) =>
  (await list(fields)).extensions.find((each) => each.name === name)?.digest ?? ''
const decide = async (fields: Partial<Fields<'extension_trust'>> = {}) => {
  const { extension = 'checksum' } = fields
  const digest = await digestOf(extension)
  return valueOf(backend.trust({ cwd: cwd(), extension, answer: 'trust', digest, ...fields }, 'a test'))
}
const audit = async (extension?: string) =>
  (await valueOf(backend.audit(extension === undefined ? {} : { extension }))).entries.map(({ previous, next, operator, reason }) => ({ previous, next, operator, reason })) // prettier-ignore

describe('a decision about an extension', () => {
  it('is about the content that was shown, and changed content waits again [COMMAND-extension_trust]', async () => {
    expect((await list()).extensions).toMatchObject([{ name: 'checksum', state: 'pending' }])
    expect((await decide()).extensions).toMatchObject([{ name: 'checksum', state: 'trusted' }])
    write('config/extensions/checksum.ts', 'changed')
    expect((await list()).extensions).toMatchObject([{ state: 'pending', changed: true }])
    await expect(decide({ digest: '0'.repeat(64) })).rejects.toMatchObject({ code: 'bad_request', message: expect.stringMatching(/not that which was shown/) as string }) // prettier-ignore
    expect((await decide({ answer: 'acknowledge', dev: true })).extensions).toMatchObject([{ state: 'acknowledged', dev: true }]) // prettier-ignore
    write('config/extensions/checksum.ts', 'changed once more')
    expect((await list()).extensions).toMatchObject([{ state: 'acknowledged', changed: true }])
    expect((await decide({ answer: 'pending' })).extensions).toMatchObject([{ state: 'pending' }])
  })

  it('needs the digest, and a mark that the extension can have', async () => {
    const send = (fields: Partial<Fields<'extension_trust'>>) =>
      valueOf(backend.trust({ cwd: cwd(), extension: 'checksum', answer: 'trust', ...fields }, 'a test'))
    await expect(send({})).rejects.toThrow(/name the digest/)
    const digest = await digestOf('checksum')
    await expect(send({ digest, mayReplace: ['bash'] })).rejects.toThrow(/not written for pi/)
    write('project/.rxpi/extensions/ours.ts')
    const trusted = { extension: 'ours', trust: true, digest: await digestOf('ours', { trust: true }) }
    await expect(send({ ...trusted, dev: true })).rejects.toThrow(/cannot have the mark dev/)
    expect((await list()).extensions.map(({ state }) => state)).toEqual(['pending'])
  })

  it('refuses names that no extension has, or several have', async () => {
    await expect(decide({ extension: 'checksun' })).rejects.toThrow(/checksum/)
    const other = write('elsewhere/checksum.ts')
    const all = { extensions: [other] }
    await expect(decide({ ...all, digest: await digestOf('checksum') })).rejects.toThrow(/Several extensions.*user:.*path:/) // prettier-ignore
    const { extensions: rows } = await list(all)
    const found = await decide({ ...all, extension: other, digest: rows[1]?.digest ?? '' })
    expect(found.extensions).toMatchObject([{ origin: 'path', root: other, state: 'trusted' }])
  })

  it('may be about all extensions of a folder at once', async () => {
    write('config/extensions/many/a.ts')
    write('config/extensions/many/b.ts')
    write('config/extensions/many/package.json', JSON.stringify({ rxpi: { extensions: ['a.ts', 'b.ts'] } }))
    const digest = await digestOf('many/a')
    expect((await decide({ extension: 'many', digest })).extensions).toMatchObject([
      { name: 'many/a', state: 'trusted' },
      { name: 'many/b', state: 'trusted' },
    ])
  })
})

describe('the list', () => {
  it('leaves out the extensions of a folder that nobody trusts, and says so [COMMAND-extension_list, S3d]', async () => {
    const file = write('project/.rxpi/extensions/ours.ts')
    const { extensions, problems } = await list()
    expect(extensions.map(({ name }) => name)).toEqual(['checksum'])
    expect(problems).toEqual([{ path: path.dirname(file), message: expect.stringMatching(/not trusted/) as string }])
    expect((await list({ trust: true })).extensions).toMatchObject([{}, { name: 'ours', state: 'pending' }])
  })
})

describe('a kill', () => {
  it('holds whatever the content, also for an extension that is gone, and each is audited', async () => {
    await decide({ reason: 'I read it' })
    await valueOf(backend.kill({ cwd: cwd(), extension: 'checksum', reason: 'curious' }, 'another'))
    const file = write('config/extensions/checksum.ts', 'changed')
    const [row] = (await list()).extensions
    expect(row?.state).toBe('killed')
    rmSync(file)
    const id = row?.id ?? ''
    expect(await valueOf(backend.kill({ cwd: cwd(), extension: id }, 'a third'))).toEqual({ extensions: [] })
    await expect(valueOf(backend.kill({ cwd: cwd(), extension: 'other' }, 'a test'))).rejects.toMatchObject({ code: 'bad_request' }) // prettier-ignore
    const expected = [
      { previous: 'pending', next: 'trusted', operator: personName('a test'), reason: 'I read it' },
      { previous: 'trusted', next: 'killed', operator: personName('another'), reason: 'curious' },
      { previous: 'killed', next: 'killed', operator: personName('a third'), reason: '' },
    ]
    expect(await audit()).toEqual(expected)
    expect(await audit('checksum')).toEqual(expected.slice(0, 2))
    expect(await audit('other')).toEqual([])
  })
})
