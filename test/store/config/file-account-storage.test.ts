// Tests the storage of accounts in accounts.json and the keychain.
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { of, throwError } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Keychain } from '../../../lib/host/files/keychain.ts'
import { fileAccountStorage } from '../../../lib/store/config/file-account-storage.ts'
import type { AccountToStore } from '../../../lib/streams/accounts/account-storage.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { resultOf } from '../../support/result-of.ts'
import { valuesOf } from '../../support/values-of.ts'

let home: string
let file: string
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-accounts-'))
  file = path.join(home, 'accounts.json')
})
afterEach(() => {
  rmSync(home, { recursive: true })
})

const tokens = { access: 'access-planted-1', refresh: 'refresh-planted-1' }
const renewed = { access: 'access-planted-2', refresh: 'refresh-planted-2' }

function toStore(own: Partial<AccountToStore> = {}): AccountToStore {
  return { provider: 'xai', origin: 'https://api.x.ai', tokens, where: 'auto', name: 'ada', ...own }
}

const locked$ = () => throwError(() => new Failure('storage', 'The keychain is locked'))
const none: Keychain = { set: locked$, get: locked$, remove: locked$ }

function memoryKeychain(): Keychain & { readonly secrets: Map<string, string> } {
  const secrets = new Map<string, string>()
  return {
    secrets,
    set: (account, secret) => {
      secrets.set(account, secret)
      return of(true as const)
    },
    get: (account) => of(secrets.get(account) ?? null),
    remove: (account) => of(secrets.delete(account)),
  }
}

describe('an account', () => {
  it('is in a file of mode 0600 if the keychain does not work; a list has no token', async () => {
    const storage = fileAccountStorage({ home, keychain: none })
    const stored = await resultOf(storage.store(toStore()))
    expect(stored).toMatchObject({ provider: 'xai', kept: 'file', keychainProblem: 'The keychain is locked' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.stringify([stored, storage.list()])).not.toContain('planted')
    expect(await resultOf(storage.tokens(stored))).toEqual(tokens)
  })

  it('has its tokens in the keychain alone if it works, also after a renewal', async () => {
    const keychain = memoryKeychain()
    const storage = fileAccountStorage({ home, keychain })
    const stored = await resultOf(storage.store(toStore()))
    const change = { tokens: renewed, facts: { expiresAt: 5 } }
    const [changed] = await valuesOf(storage.change(stored, change))
    expect(changed).toMatchObject({ kept: 'keychain', expiresAt: 5, name: 'ada' })
    expect(changed?.renewedAt).toBeGreaterThan(stored.renewedAt)
    expect(await resultOf(storage.tokens(stored))).toEqual(renewed)
    expect(readFileSync(file, 'utf8')).not.toContain('planted')
  })

  it('replaces the earlier one of its provider, and the keychain forgets that', async () => {
    const keychain = memoryKeychain()
    const storage = fileAccountStorage({ home, keychain })
    const first = await resultOf(storage.store(toStore()))
    const second = await resultOf(storage.store(toStore({ tokens: renewed })))
    expect(storage.list().map(({ id }) => id)).toEqual([second.id])
    expect([...keychain.secrets.keys()]).toEqual([`account/xai/${second.id}`])
    await expect(resultOf(storage.tokens(first))).rejects.toThrow('rxpi auth login xai')
  })

  it('loses the mark of a refused renewal with new tokens', async () => {
    const storage = fileAccountStorage({ home, keychain: none })
    const stored = await resultOf(storage.store(toStore()))
    await valuesOf(storage.change(stored, { isSignedOut: true }))
    expect(storage.list('xai')).toMatchObject([{ isSignedOut: true }])
    await valuesOf(storage.change(stored, { tokens: renewed, facts: {} }))
    expect(storage.list('xai')[0]?.isSignedOut).toBeUndefined()
  })

  it('that is removed is gone from file and keychain; a change of it changes nothing', async () => {
    const keychain = memoryKeychain()
    const storage = fileAccountStorage({ home, keychain })
    const stored = await resultOf(storage.store(toStore({ where: 'keychain' })))
    expect(await resultOf(storage.remove('xai'))).toBe(1)
    expect(await resultOf(storage.remove('xai'))).toBe(0)
    expect(keychain.secrets.size).toBe(0)
    expect(await valuesOf(storage.change(stored, { isSignedOut: true }))).toEqual([])
    expect(storage.list()).toEqual([])
  })

  it('is not stored if only the keychain may have it and does not work', async () => {
    const storage = fileAccountStorage({ home, keychain: none })
    await expect(resultOf(storage.store(toStore({ where: 'keychain' })))).rejects.toThrow('locked')
    expect(storage.list()).toEqual([])
  })
})

describe('a file of accounts', () => {
  it.each([
    ['{"v":1,"providers":{"xai":{"id":"nope"}}}', 'is not valid'],
    ['{"v":1,"secret-planted', 'is not JSON; repair it, or remove it and set the tokens of accounts again'],
  ])('with %s is refused', (text, problem) => {
    writeFileSync(file, text, { mode: 0o600 })
    const list = () => fileAccountStorage({ home, keychain: none }).list()
    expect(list).toThrow(problem)
    expect(list).not.toThrow('planted')
  })

  it('that others may read is refused', async () => {
    const storage = fileAccountStorage({ home, keychain: none })
    await resultOf(storage.store(toStore()))
    chmodSync(file, 0o644)
    expect(() => storage.list()).toThrow('has mode 644, and holds tokens of accounts: chmod 600')
  })
})
