// The machine's own keychain, through a library that may not be there; what does not work is said, and never something weaker taken.
import { catchError, map, throwError, timeout } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { describeThrown } from '../../streams/values/failure.ts'

/** Each emits once and completes, or fails with Failure `storage`; unsubscribing gives up. */
export interface Keychain {
  set(account: string, secret: string): Observable<true>
  /** Null where there is none. */
  get(account: string): Observable<string | null>
  /** False where there was none. */
  remove(account: string): Observable<boolean>
}

/** What the entries are called there. */
const service = 'rxpi'
/** Milliseconds: a person may have to unlock it first. */
const patience = 60_000
/** The kernel's keyring, which the library would take instead, forgets at the next login. */
const options = { linux: { store: 'secret-service' } } as const

type Entry = import('@napi-rs/keyring').AsyncEntry

/** macOS: the login keychain; Linux: the Secret Service of the desktop. The library is loaded with the first call. */
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
    timeout({ first: patience, with: () => throwError(() => new Error(`it did not answer in ${patience / 1_000} s`)) }),
    catchError((error: unknown) => throwError(() => keychainFailure(error))),
  )
}

function keychainFailure(error: unknown): Failure {
  const [reason = ''] = describeThrown(error).split('\n')
  return new Failure('storage', `The keychain of this machine could not be used: ${reason}`, { cause: error })
}
