// Stores keys in one private file, or in the system keychain with a reference in that file.
// Guarantees: a list of keys never contains one.
import path from 'node:path'
import {
  EMPTY,
  catchError,
  concat,
  concatMap,
  defaultIfEmpty,
  defer,
  from,
  identity,
  ignoreElements,
  last,
  map,
  of,
  throwError,
} from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import { machineKeychain } from '../../host/files/keychain.ts'
import type { Keychain } from '../../host/files/keychain.ts'
import type { AuthFile, AuthFileEntry } from '../../streams/config/auth-file-schema.ts'
import type { KeyToStore, KeyWasStored, StoredKey, WritableAuthStorage } from '../../streams/ports/auth-storage.ts'
import { Failure } from '../../streams/values/failure.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import { keyTail } from '../../streams/ports/auth-storage.ts'
import { getOwn } from '../../streams/values/json.ts'
import { changeAuthFile, readAuthFile } from './auth-file.ts'

export interface FileAuthStorageOptions {
  /** `$RXPI_HOME`; the file is `auth.json` there. */
  readonly home: string
  /** @default the system keychain */
  readonly keychain?: Keychain
}

/** The storage of `rxpi auth set`. It reads the file each time, as another process may have changed it. */
export function fileAuthStorage({ home, keychain = machineKeychain() }: FileAuthStorageOptions): WritableAuthStorage {
  const file = path.join(home, 'auth.json')
  const ids = randomIds()
  const listKeys = (provider?: string): StoredKey[] =>
    Object.entries(readAuthFile(file).providers).flatMap(([name, entries]) =>
      provider === undefined || name === provider ? entries.map((entry) => storedKey(name, entry)) : [],
    )
  return {
    list: listKeys,
    read: (key) => defer(() => valueOf(readAuthFile(file), key, keychain)),
    store: (key) =>
      defer(() => {
        const id = ids.short()
        return storeSecret(key, id, keychain).pipe(
          concatMap(({ entry, problem }) => {
            let replaced: readonly StoredKey[] = []
            const change = (before: AuthFile): AuthFile => {
              replaced = replacedKeys(before, key)
              return withKey(before, key, entry)
            }
            return concat(
              changeAuthFile(file, change).pipe(ignoreElements(), removeSecretOnFailure(key.provider, entry, keychain)),
              defer(() => removeSecrets(replaced, keychain)).pipe(
                catchError((error: unknown) => of(describeSecretLeft(error))),
              ),
            ).pipe(
              defaultIfEmpty(problem),
              map((problem): KeyWasStored => ({
                ...storedKey(key.provider, entry),
                ...(problem === undefined ? {} : { keychainProblem: problem }),
              })),
            )
          }),
        )
      }),
    remove: (provider, id) =>
      defer(() => {
        const gone = listKeys(provider).filter((key) => id === undefined || key.id === id)
        const names = new Set(gone.map((key) => key.id))
        return concat(
          removeSecrets(gone, keychain),
          changeAuthFile(file, (before) => withoutKeys(before, provider, names)).pipe(map(() => gone.length)),
        ).pipe(last(null, 0))
      }),
  }
}

function storedKey(provider: string, { id, origin, value }: AuthFileEntry): StoredKey {
  const key = { id, provider, origin }
  if (value === undefined) return { ...key, kept: 'keychain', kind: 'key' }
  if (value.startsWith('!')) return { ...key, kept: 'file', kind: 'command' }
  if (value.startsWith('$')) return { ...key, kept: 'file', kind: 'variable', variable: value.slice(1) }
  return { ...key, kept: 'file', kind: 'key', ...keyTail(value) }
}

function valueOf({ providers }: AuthFile, { provider, id }: StoredKey, keychain: Keychain): Observable<string> {
  const entry = getOwn(providers, provider)?.find((each) => each.id === id)
  if (entry === undefined) return throwError(() => keyGoneFailure(provider))
  if (entry.value !== undefined) return of(entry.value)
  return keychain.get(secretName(provider, id)).pipe(
    map((value) => {
      if (value === null) throw keyGoneFailure(provider)
      return value
    }),
  )
}

function keyGoneFailure(provider: string): Failure {
  const message = `The stored key of ${provider} no longer exists; set it again: rxpi auth set ${provider}`
  return new Failure('provider_error', message, { data: { kind: 'auth' } })
}

interface StoredSecret {
  readonly entry: AuthFileEntry
  /** Why the keychain was not used. */
  readonly problem?: string
}

/** A command or a variable name is not a secret, so it does not go to the keychain. */
function storeSecret(
  { provider, origin, value, where }: KeyToStore,
  id: string,
  keychain: Keychain,
): Observable<StoredSecret> {
  const inFile: AuthFileEntry = { id, origin, value }
  if (where === 'file' || /^[$!]/.test(value)) return of({ entry: inFile })
  return keychain.set(secretName(provider, id), value).pipe(
    map((): StoredSecret => ({ entry: { id, origin } })),
    catchError((error: unknown) => {
      if (where === 'keychain') throw error
      return of({ entry: inFile, problem: Failure.from(error).message })
    }),
  )
}

function replacedKeys({ providers }: AuthFile, { provider, origin, add }: KeyToStore): readonly StoredKey[] {
  if (add || !Object.hasOwn(providers, provider)) return []
  const known = providers[provider] ?? []
  return known.filter((entry) => entry.origin === origin).map((entry) => storedKey(provider, entry))
}

function describeSecretLeft(error: unknown): string {
  return `The previous key is still in the keychain: ${Failure.from(error).message}`
}

function withKey(before: AuthFile, { provider, origin, add }: KeyToStore, entry: AuthFileEntry): AuthFile {
  const known = getOwn(before.providers, provider) ?? []
  const remaining = add ? known : known.filter((each) => each.origin !== origin)
  return { ...before, providers: { ...before.providers, [provider]: [...remaining, entry] } }
}

function withoutKeys(before: AuthFile, provider: string, ids: ReadonlySet<string>): AuthFile {
  const rest = Object.entries(before.providers).flatMap(([name, entries]) => {
    const remaining = name === provider ? entries.filter(({ id }) => !ids.has(id)) : entries
    return remaining.length === 0 ? [] : [[name, remaining] as const]
  })
  return { ...before, providers: Object.fromEntries(rest) }
}

/** Removes a secret from the keychain if the file could not record it: rxpi would never find it again. */
function removeSecretOnFailure(
  provider: string,
  entry: AuthFileEntry,
  keychain: Keychain,
): MonoTypeOperatorFunction<never> {
  if (entry.value !== undefined) return identity
  return catchError((error: unknown) =>
    concat(
      keychain.remove(secretName(provider, entry.id)).pipe(
        ignoreElements(),
        catchError(() => EMPTY), // report the first failure
      ),
      throwError(() => Failure.from(error)),
    ),
  )
}

/** Removes the secrets from the keychain; completes without a value. */
function removeSecrets(keys: readonly StoredKey[], keychain: Keychain): Observable<never> {
  return from(keys.filter((key) => key.kept === 'keychain')).pipe(
    concatMap(({ provider, id }) => keychain.remove(secretName(provider, id))),
    ignoreElements(),
  )
}

function secretName(provider: string, id: string): string {
  return `${provider}/${id}`
}
