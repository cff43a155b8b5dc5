// Tests the storage of keys in auth.json and the keychain.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { forkJoin, of, throwError } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Keychain } from '../../../lib/host/files/keychain.ts'
import { fileAuthStorage } from '../../../lib/store/config/file-auth-storage.ts'
import { takeLock } from '../../../lib/store/locks/session-lock.ts'
import type { KeyToStore } from '../../../lib/streams/ports/auth-storage.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { resultOf } from '../../support/result-of.ts'

let home: string
let file: string
beforeEach(() => {
  home = path.join(mkdtempSync(path.join(tmpdir(), 'rxpi-auth-')), 'home')
  file = path.join(home, 'auth.json')
})
afterEach(() => {
  rmSync(path.dirname(home), { recursive: true })
})

const key = 'sk-planted-0123456789abcdef'
const origin = 'https://api.openai.com'

function toStore(own: Partial<KeyToStore> = {}): KeyToStore {
  return { provider: 'openai', origin, value: key, add: false, where: 'file', ...own }
}

const none: Keychain = {
  set: () => throwError(() => new Failure('storage', 'The keychain of this machine could not be used: locked')),
  get: () => throwError(() => new Failure('storage', 'locked')),
  remove: () => throwError(() => new Failure('storage', 'locked')),
}

function memoryKeychain(): Keychain & { readonly kept: Map<string, string> } {
  const remaining = new Map<string, string>()
  return {
    kept: remaining,
    set: (account, secret) => {
      remaining.set(account, secret)
      return of(true as const)
    },
    get: (account) => of(remaining.get(account) ?? null),
    remove: (account) => of(remaining.delete(account)),
  }
}

const storage = (keychain: Keychain = none) => fileAuthStorage({ home, keychain })

describe('fileAuthStorage', () => {
  it('lists nothing if nothing was stored, and creates no file', () => {
    expect(storage().list()).toEqual([])
    expect(existsSync(home)).toBe(false)
  })

  it.each<[string, () => void, RegExp]>([
    [
      'a link',
      () => symlinkSync(home, file),
      /auth\.json could not be read: it is a symbolic link; put the file itself/,
    ],
    ['a folder', () => mkdirSync(file, { mode: 0o700 }), /auth\.json could not be read: it is a folder/],
  ])('explains that %s at its path is not read', (_, make, problem) => {
    mkdirSync(home)
    make()
    expect(() => storage().list()).toThrow(expect.objectContaining({ code: 'bad_config' }))
    expect(() => storage().list()).toThrow(problem)
  })

  it('stores a key in a file of mode 0600 in a folder of mode 0700, and returns it', async () => {
    const stored = await resultOf(storage().store(toStore()))
    expect(stored).toMatchObject({ provider: 'openai', origin, kept: 'file', kind: 'key', tail: '…cdef' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(home).mode & 0o777).toBe(0o700)
    expect(await resultOf(storage().read(stored))).toBe(key)
  })

  it('lists no key [COMMAND-auth]', async () => {
    await resultOf(storage().store(toStore()))
    expect(JSON.stringify(storage().list())).not.toContain(key.slice(0, 12))
  })

  it.each([
    ['$OWN_KEY', { kind: 'variable', variable: 'OWN_KEY' }],
    ['!pass show openai', { kind: 'command' }],
    ['short', { kind: 'key' }],
  ])('describes %s', async (value, description) => {
    await resultOf(storage().store(toStore({ value })))
    const [listed] = storage().list('openai')
    expect(listed).toMatchObject(description)
    expect(listed).not.toHaveProperty('tail')
  })

  it('replaces the key of the same address, and of no other', async () => {
    const { store, list } = storage()
    await resultOf(store(toStore({ origin: 'https://proxy.example.com' })))
    await resultOf(store(toStore({ value: 'sk-old' })))
    await resultOf(store(toStore({ provider: 'groq', origin: 'https://api.groq.com' })))
    const { id } = await resultOf(store(toStore()))
    expect(list('openai').map((each) => each.origin)).toEqual(['https://proxy.example.com', origin])
    expect(list('openai').at(-1)?.id).toBe(id)
    expect(readFileSync(file, 'utf8')).not.toContain('sk-old')
    expect(list('groq')).toHaveLength(1)
  })

  it('adds a key beside others, and removes one or all', async () => {
    const { store, list, remove } = storage()
    const first = await resultOf(store(toStore({ value: 'sk-1' })))
    await resultOf(store(toStore({ value: 'sk-2', add: true })))
    await resultOf(store(toStore({ value: 'sk-3', add: true })))
    expect(await resultOf(remove('openai', first.id))).toBe(1)
    expect(list('openai')).toHaveLength(2)
    expect(await resultOf(remove('openai'))).toBe(2)
    expect(await resultOf(remove('openai'))).toBe(0)
    expect(list()).toEqual([])
  })

  it('loses none of twenty that are stored at once', async () => {
    const values = Array.from({ length: 20 }, (_, index) => `sk-${index}`)
    await resultOf(forkJoin(values.map((value) => storage().store(toStore({ value, add: true })))))
    expect(storage().list('openai')).toHaveLength(20)
    expect(existsSync(`${file}.lock`)).toBe(false)
  })

  it('waits for a live process, however old its lock is', async () => {
    mkdirSync(home, { mode: 0o700 })
    const lock = takeLock({ file, sessionId: 'another' })
    const { utimesSync } = await import('node:fs')
    utimesSync(`${file}.lock`, 1, 1)
    const own = readFileSync(`${file}.lock`, 'utf8')
    const stored = resultOf(storage().store(toStore()))
    expect([readFileSync(`${file}.lock`, 'utf8'), existsSync(file)]).toEqual([own, false])
    lock.release()
    expect(await stored).toMatchObject({ kept: 'file' })
  })

  it('leaves no key in the keychain if the file cannot be changed', async () => {
    const keychain = memoryKeychain()
    mkdirSync(file, { recursive: true, mode: 0o700 })
    await expect(resultOf(storage(keychain).store(toStore({ where: 'keychain' })))).rejects.toBeInstanceOf(Failure)
    expect(keychain.kept.size).toBe(0)
  })

  it('takes over the lock of a dead process', async () => {
    mkdirSync(home, { mode: 0o700 })
    writeFileSync(`${file}.lock`, '1', { mode: 0o600 })
    const { utimesSync } = await import('node:fs')
    utimesSync(`${file}.lock`, 1, 1)
    expect(await resultOf(storage().store(toStore()))).toMatchObject({ kept: 'file' })
  })
})

describe('with a keychain', () => {
  it('the file has no value, and the key comes from the keychain', async () => {
    const keychain = memoryKeychain()
    const own = storage(keychain)
    const stored = await resultOf(own.store(toStore({ where: 'auto' })))
    expect(stored).toMatchObject({ kept: 'keychain', kind: 'key' })
    expect(readFileSync(file, 'utf8')).not.toContain(key)
    expect([...keychain.kept]).toEqual([[`openai/${stored.id}`, key]])
    expect(await resultOf(own.read(stored))).toBe(key)
  })

  it('a replaced or removed key is deleted there', async () => {
    const keychain = memoryKeychain()
    const own = storage(keychain)
    await resultOf(own.store(toStore({ where: 'keychain', value: 'sk-old' })))
    await resultOf(own.store(toStore({ where: 'keychain' })))
    expect([...keychain.kept.values()]).toEqual([key])
    await resultOf(own.remove('openai'))
    expect(keychain.kept.size).toBe(0)
  })

  it('if it fails, the file gets the key, with a warning', async () => {
    const stored = await resultOf(storage().store(toStore({ where: 'auto' })))
    expect(stored).toMatchObject({ kept: 'file', keychainProblem: expect.stringContaining('locked') as string })
    expect(stored.keychainProblem).not.toContain(key)
  })

  it('if it was requested and fails, nothing is stored', async () => {
    await expect(resultOf(storage().store(toStore({ where: 'keychain' })))).rejects.toMatchObject({
      code: 'storage',
    })
    expect(storage().list()).toEqual([])
  })

  it('a command or a variable is no secret of its own and stays in the file', async () => {
    const keychain = memoryKeychain()
    const own = storage(keychain)
    await resultOf(own.store(toStore({ where: 'keychain', value: '$KEY' })))
    expect(keychain.kept.size).toBe(0)
  })

  it('if the key is missing there, the request fails with a remedy', async () => {
    const keychain = memoryKeychain()
    const own = storage(keychain)
    const stored = await resultOf(own.store(toStore({ where: 'keychain' })))
    keychain.kept.clear()
    await expect(resultOf(own.read(stored))).rejects.toMatchObject({
      message: expect.stringContaining('rxpi auth set openai') as string,
      data: { kind: 'auth' },
    })
  })
})

describe('an invalid file', () => {
  it.each([
    ['not JSON at all', `{"v":1,"providers":{"openai":"${key}`, 'it is not JSON'],
    ['another shape', `{"v":1,"providers":{"openai":[{"value":"${key}"}]}}`, 'is not valid'],
    [
      'another version',
      `{"v":2,"providers":{"openai":[{"id":"abcdefg2","origin":"https://a.b","value":"${key}"}]}}`,
      'is not valid',
    ],
  ])('of %s is refused without its content', async (_, text, description) => {
    mkdirSync(home, { mode: 0o700 })
    writeFileSync(file, text, { mode: 0o600 })
    const refused = resultOf(storage().store(toStore()))
    await expect(refused).rejects.toMatchObject({ code: 'bad_config' })
    await expect(refused).rejects.toThrow(description)
    await expect(refused).rejects.not.toThrow(key.slice(0, 8))
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('that others can read is refused, with a remedy', () => {
    mkdirSync(home, { mode: 0o700 })
    writeFileSync(file, '{"v":1,"providers":{}}')
    chmodSync(file, 0o644)
    expect(() => storage().list()).toThrow(/has mode 644.*chmod 600/)
  })
})
