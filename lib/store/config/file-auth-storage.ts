// Keys lie in one private file, or in the machine's keychain with only their place in that file; what is listed never holds one.
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
  /** @default the machine's */
  readonly keychain?: Keychain
}

/** Where `rxpi auth set` puts keys. The file is read anew each time: another process may have changed it. */
export function fileAuthStorage({ home, keychain = machineKeychain() }: FileAuthStorageOptions): WritableAuthStorage {
  const file = path.join(home, 'auth.json')
  const ids = randomIds()
  const listed = (provider?: string): StoredKey[] =>
    Object.entries(readAuthFile(file).providers).flatMap(([name, entries]) =>
      provider === undefined || name === provider ? entries.map((entry) => storedKey(name, entry)) : [],
    )
  return {
    list: listed,
    read: (key) => defer(() => valueOf(readAuthFile(file), key, keychain)),
    store: (key) =>
      defer(() => {
        const id = ids.short()
        return placed(key, id, keychain).pipe(
          concatMap(({ entry, problem }) => {
            let replaced: readonly StoredKey[] = []
            const change = (before: AuthFile): AuthFile => {
              replaced = replacedBy(before, key)
              return withKey(before, key, entry)
            }
            return concat(
              changeAuthFile(file, change).pipe(ignoreElements(), notKeptAlone(key.provider, entry, keychain)),
              defer(() => forgotten(replaced, keychain)).pipe(catchError((error: unknown) => of(leftThere(error)))),
            ).pipe(
              defaultIfEmpty(problem),
              map((told): KeyWasStored => ({
                ...storedKey(key.provider, entry),
                ...(told === undefined ? {} : { keychainProblem: told }),
              })),
            )
          }),
        )
      }),
    remove: (provider, id) =>
      defer(() => {
        const gone = listed(provider).filter((key) => id === undefined || key.id === id)
        const names = new Set(gone.map((key) => key.id))
        return concat(
          forgotten(gone, keychain),
          changeAuthFile(file, (before) => without(before, provider, names)).pipe(map(() => gone.length)),
        ).pipe(last(null, 0))
      }),
  }
}

function storedKey(provider: string, { id, origin, value }: AuthFileEntry): StoredKey {
  const place = { id, provider, origin }
  if (value === undefined) return { ...place, kept: 'keychain', kind: 'key' }
  if (value.startsWith('!')) return { ...place, kept: 'file', kind: 'command' }
  if (value.startsWith('$')) return { ...place, kept: 'file', kind: 'variable', variable: value.slice(1) }
  return { ...place, kept: 'file', kind: 'key', ...keyTail(value) }
}

function valueOf({ providers }: AuthFile, { provider, id }: StoredKey, keychain: Keychain): Observable<string> {
  const entry = getOwn(providers, provider)?.find((each) => each.id === id)
  if (entry === undefined) return throwError(() => isGone(provider))
  if (entry.value !== undefined) return of(entry.value)
  return keychain.get(account(provider, id)).pipe(
    map((value) => {
      if (value === null) throw isGone(provider)
      return value
    }),
  )
}

function isGone(provider: string): Failure {
  const message = `The stored key of ${provider} is not there any more: rxpi auth set ${provider}`
  return new Failure('provider_error', message, { data: { kind: 'auth' } })
}

interface Placed {
  readonly entry: AuthFileEntry
  /** Why not in the keychain. */
  readonly problem?: string
}

/** What is no key itself is no secret of the keychain's. */
function placed({ provider, origin, value, where }: KeyToStore, id: string, keychain: Keychain): Observable<Placed> {
  const inFile: AuthFileEntry = { id, origin, value }
  if (where === 'file' || /^[$!]/.test(value)) return of({ entry: inFile })
  return keychain.set(account(provider, id), value).pipe(
    map((): Placed => ({ entry: { id, origin } })),
    catchError((error: unknown) => {
      if (where === 'keychain') throw error
      return of({ entry: inFile, problem: Failure.from(error).message })
    }),
  )
}

function replacedBy({ providers }: AuthFile, { provider, origin, add }: KeyToStore): readonly StoredKey[] {
  if (add || !Object.hasOwn(providers, provider)) return []
  const known = providers[provider] ?? []
  return known.filter((entry) => entry.origin === origin).map((entry) => storedKey(provider, entry))
}

function leftThere(error: unknown): string {
  return `The key before it is still in the keychain: ${Failure.from(error).message}`
}

function withKey(before: AuthFile, { provider, origin, add }: KeyToStore, entry: AuthFileEntry): AuthFile {
  const known = getOwn(before.providers, provider) ?? []
  const kept = add ? known : known.filter((each) => each.origin !== origin)
  return { ...before, providers: { ...before.providers, [provider]: [...kept, entry] } }
}

function without(before: AuthFile, provider: string, ids: ReadonlySet<string>): AuthFile {
  const rest = Object.entries(before.providers).flatMap(([name, entries]) => {
    const kept = name === provider ? entries.filter(({ id }) => !ids.has(id)) : entries
    return kept.length === 0 ? [] : [[name, kept] as const]
  })
  return { ...before, providers: Object.fromEntries(rest) }
}

/** A key in the keychain of which the file says nothing would be found by nobody: it is taken out again. */
function notKeptAlone(provider: string, entry: AuthFileEntry, keychain: Keychain): MonoTypeOperatorFunction<never> {
  if (entry.value !== undefined) return identity
  return catchError((error: unknown) =>
    concat(
      keychain.remove(account(provider, entry.id)).pipe(
        ignoreElements(),
        catchError(() => EMPTY), // the first failure is the one to tell
      ),
      throwError(() => Failure.from(error)),
    ),
  )
}

/** Takes the values out of the keychain; completes without a value. */
function forgotten(keys: readonly StoredKey[], keychain: Keychain): Observable<never> {
  return from(keys.filter(({ kept }) => kept === 'keychain')).pipe(
    concatMap(({ provider, id }) => keychain.remove(account(provider, id))),
    ignoreElements(),
  )
}

function account(provider: string, id: string): string {
  return `${provider}/${id}`
}
