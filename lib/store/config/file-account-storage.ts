// Stores accounts in one private file, with their tokens there or in the system keychain.
// Guarantees: a list of accounts never contains a token; a renewed token replaces the earlier one in one step.
import path from 'node:path'
import { EMPTY, catchError, concat, concatMap, defer, ignoreElements, last, map, of, throwError } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import { machineKeychain } from '../../host/files/keychain.ts'
import type { Keychain } from '../../host/files/keychain.ts'
import { ensurePrivateFolder } from '../../host/files/private-files.ts'
import type { AccountFileEntry, AccountsFile } from '../../streams/accounts/accounts-file-schema.ts'
import type {
  AccountChange,
  AccountStorage,
  AccountToStore,
  AccountTokens,
  AccountWasStored,
  StoredAccount,
} from '../../streams/accounts/account-storage.ts'
import { Failure } from '../../streams/values/failure.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import { getOwn, isRecord } from '../../streams/values/json.ts'
import { withFileLock } from '../locks/with-file-lock.ts'
import { changeAccountsFile, readAccountsFile } from './auth-file.ts'
import type { FileAuthStorageOptions } from './file-auth-storage.ts'

/** Reads the file each time, as another process may have changed it: `accounts.json` in the home. */
export function fileAccountStorage({ home, keychain = machineKeychain() }: FileAuthStorageOptions): AccountStorage {
  const file = path.join(home, 'accounts.json')
  const ids = randomIds()
  return {
    list: (provider) => listAccounts(readAccountsFile(file), provider),
    tokens: (account) => defer(() => tokensOf(readAccountsFile(file), account, keychain)),
    store: (account) => defer(() => storeAccount(file, account, { id: ids.short(), keychain })),
    change: (account, change) => defer(() => changeAccount(file, account, { change, keychain })),
    remove: (provider) =>
      defer(() => {
        const [gone] = listAccounts(readAccountsFile(file), provider)
        if (gone === undefined) return of(0)
        const removed$ = changeAccountsFile(file, (before) => ({
          ...before,
          providers: Object.fromEntries(Object.entries(before.providers).filter(([name]) => name !== provider)),
        }))
        return concat(removeTokens(gone, keychain), removed$.pipe(map(() => 1))).pipe(last(null, 0))
      }),
    locked: (account, work) =>
      defer(() => {
        ensurePrivateFolder(home)
        return withFileLock(path.join(home, `account-${account.id}`), work)
      }),
  }
}

function listAccounts({ providers }: AccountsFile, provider?: string): StoredAccount[] {
  return Object.entries(providers).flatMap(([name, entry]) =>
    provider === undefined || name === provider ? [storedAccount(name, entry)] : [],
  )
}

function storedAccount(provider: string, { tokens, ...entry }: AccountFileEntry): StoredAccount {
  return { ...entry, provider, kept: tokens === undefined ? 'keychain' : 'file' }
}

function tokensOf(
  content: AccountsFile,
  { provider, id }: StoredAccount,
  keychain: Keychain,
): Observable<AccountTokens> {
  const entry = getOwn(content.providers, provider)
  if (entry?.id !== id) return throwError(() => accountGoneFailure(provider))
  if (entry.tokens !== undefined) return of(entry.tokens)
  return keychain.get(secretName(provider, id)).pipe(
    map((text) => {
      const tokens = text === null ? undefined : parseTokens(text)
      if (tokens === undefined) throw accountGoneFailure(provider)
      return tokens
    }),
  )
}

function parseTokens(text: string): AccountTokens | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isRecord(value)) return undefined
    const { access, refresh, registration } = value
    if (typeof access !== 'string' || access === '') return undefined
    return {
      access,
      ...(typeof refresh === 'string' ? { refresh } : {}),
      ...(typeof registration === 'string' ? { registration } : {}),
    }
  } catch {
    return undefined // not written by rxpi; the message must not quote it
  }
}

function accountGoneFailure(provider: string): Failure {
  const message = `The account of ${provider} is no longer stored; sign in again: rxpi auth login ${provider}`
  return new Failure('provider_error', message, { data: { kind: 'auth' } })
}

interface StoredTokens {
  /** Absent: the keychain holds them. */
  readonly inFile?: AccountTokens
  readonly problem?: string
}

function storeAccount(
  file: string,
  { provider, origin, tokens, where, ...facts }: AccountToStore,
  { id, keychain }: { readonly id: string; readonly keychain: Keychain },
): Observable<AccountWasStored> {
  return storeTokens(secretName(provider, id), tokens, where, keychain).pipe(
    concatMap(({ inFile, problem }) => {
      const entry: AccountFileEntry = { id, origin, renewedAt: Date.now(), ...facts, ...tokensField(inFile) }
      let replaced: StoredAccount | undefined
      const written$ = changeAccountsFile(file, (before) => {
        replaced = listAccounts(before, provider)[0]
        return withEntry(before, provider, entry)
      }).pipe(ignoreElements(), removeSecretOnFailure(storedAccount(provider, entry), keychain))
      const stored: AccountWasStored = {
        ...storedAccount(provider, entry),
        ...(problem === undefined ? {} : { keychainProblem: problem }),
      }
      return concat(
        written$,
        defer(() => (replaced === undefined ? EMPTY : tryToRemoveTokens(replaced, keychain))),
        of(stored),
      )
    }),
  )
}

/** Stores new tokens where the account has its old ones; completes without a value if the account is gone. */
function changeAccount(
  file: string,
  account: StoredAccount,
  { change, keychain }: { readonly change: AccountChange; readonly keychain: Keychain },
): Observable<StoredAccount> {
  const { provider, id } = account
  const tokens = 'tokens' in change ? change.tokens : undefined
  // the file follows: a process that reads its new `renewedAt` finds the new tokens
  const secret$ =
    account.kept === 'keychain' && tokens !== undefined
      ? keychain.set(secretName(provider, id), JSON.stringify(tokens)).pipe(ignoreElements())
      : EMPTY
  const changed$ = defer(() =>
    changeAccountsFile(file, (before) => {
      const known = getOwn(before.providers, provider)
      return known?.id === id ? withEntry(before, provider, changedEntry(known, change)) : before
    }),
  ).pipe(concatMap((after) => listAccounts(after, provider).filter((each) => each.id === id)))
  return concat(secret$, changed$)
}

function changedEntry(known: AccountFileEntry, change: AccountChange): AccountFileEntry {
  if (!('tokens' in change)) return { ...known, isSignedOut: true }
  const { isSignedOut: _out, tokens: earlier, expiresAt: _expiry, ...rest } = known
  const { tokens, facts, origin = known.origin } = change
  const inFile = earlier === undefined ? undefined : tokens
  // a clock that was put back must not repeat the mark
  const renewedAt = Math.max(Date.now(), known.renewedAt + 1)
  return { ...rest, ...facts, origin, renewedAt, ...tokensField(inFile) }
}

function tokensField(tokens: AccountTokens | undefined): Pick<AccountFileEntry, 'tokens'> {
  return tokens === undefined ? {} : { tokens }
}

function withEntry(before: AccountsFile, provider: string, entry: AccountFileEntry): AccountsFile {
  return { ...before, providers: { ...before.providers, [provider]: entry } }
}

function storeTokens(
  name: string,
  tokens: AccountTokens,
  where: AccountToStore['where'],
  keychain: Keychain,
): Observable<StoredTokens> {
  if (where === 'file') return of({ inFile: tokens })
  return keychain.set(name, JSON.stringify(tokens)).pipe(
    map((): StoredTokens => ({})),
    catchError((error: unknown) => {
      if (where === 'keychain') throw error
      return of({ inFile: tokens, problem: Failure.from(error).message })
    }),
  )
}

/** Removes tokens that the file could not record: rxpi would never find them again. */
function removeSecretOnFailure(account: StoredAccount, keychain: Keychain): MonoTypeOperatorFunction<never> {
  return catchError((error: unknown) =>
    concat(
      tryToRemoveTokens(account, keychain),
      throwError(() => Failure.from(error)),
    ),
  )
}

/** Ignores a failure: a replaced account's tokens are unused, so their remaining in the keychain stops nothing. */
function tryToRemoveTokens(account: StoredAccount, keychain: Keychain): Observable<never> {
  return removeTokens(account, keychain).pipe(catchError(() => EMPTY))
}

function removeTokens(account: StoredAccount, keychain: Keychain): Observable<never> {
  const { provider, id } = account
  return account.kept === 'keychain' ? keychain.remove(secretName(provider, id)).pipe(ignoreElements()) : EMPTY
}

function secretName(provider: string, id: string): string {
  return `account/${provider}/${id}`
}
