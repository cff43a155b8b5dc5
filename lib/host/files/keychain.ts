// Stores secrets in the system keychain through an optional library.
// A failure is reported; nothing weaker replaces it.
import { catchError, map, throwError, timeout } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'

/** Each emits once and completes, or fails with Failure `storage`; unsubscribing cancels. */
export interface Keychain {
  set(account: string, secret: string): Observable<true>
  /** Null if there is none. */
  get(account: string): Observable<string | null>
  /** False if there was none. */
  remove(account: string): Observable<boolean>
}

/** The service name of the entries. */
const service = 'rxpi'
/** Milliseconds: a person may have to unlock the keychain first. */
const unlockTimeoutMs = 60_000
/** The library would fall back to the kernel's keyring, which loses its entries at the next login. */
const options = { linux: { store: 'secret-service' } } as const

type Entry = import('@napi-rs/keyring').AsyncEntry

/** macOS: the login keychain; Linux: the desktop's Secret Service. The first call loads the library. */
export function machineKeychain(): Keychain {
  return {
    set: (account, secret) =>
      withEntry(account, (entry, signal) => entry.setPassword(secret, signal)).pipe(map(() => true)),
    get: (account) => withEntry(account, async (entry, signal) => (await entry.getPassword(signal)) ?? null),
    remove: (account) => withEntry(account, (entry, signal) => entry.deleteCredential(signal)),
  }
}

function withEntry<Value>(
  account: string,
  act: (entry: Entry, signal: AbortSignal) => Promise<Value>,
): Observable<Value> {
  return fromAbortable(async (signal) => {
    const { AsyncEntry } = await import('@napi-rs/keyring')
    return act(new AsyncEntry(service, account, options), signal)
  }).pipe(
    timeout({
      first: unlockTimeoutMs,
      with: () => throwError(() => new Error(`it did not answer within ${unlockTimeoutMs / 1_000} s`)),
    }),
    catchError((error: unknown) => throwError(() => keychainFailure(error))),
  )
}

function keychainFailure(error: unknown): Failure {
  const [reason = ''] = describeThrown(error).split('\n')
  return new Failure('storage', `The keychain of this machine could not be used: ${reason}`, { cause: error })
}
