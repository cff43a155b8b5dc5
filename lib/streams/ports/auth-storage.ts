// Port of the key store.
// It lists stored keys without their values, and loads a value when a request needs it.
import type { Observable, ObservableInput } from 'rxjs'
import type { AccountSource } from '../accounts/account-storage.ts'

/** A stored key without its value. */
export interface StoredKey {
  readonly id: string
  readonly provider: string
  /** Scheme, host and port that the key was stored for; it is sent to no other address. */
  readonly origin: string
  readonly kept: 'file' | 'keychain'
  /** `variable`: `$VARIABLE` is stored; `command`: `!command` is stored. */
  readonly kind: 'key' | 'variable' | 'command'
  /** The variable's name. */
  readonly variable?: string
  /**
   * The last characters of a long key, so that people can tell keys apart; absent if unknown or if they would reveal
   * too much.
   */
  readonly tail?: string
}

/** The read side that sessions use, beside the keys of environment and `models.json`. */
export interface AuthStorage {
  /**
   * Keys of this provider, or of all, in the order in which they were stored. Synchronous: a session chooses its model
   * in the same call.
   * @throws Failure `bad_config` if the store cannot be read
   */
  list(provider?: string): readonly StoredKey[]
  /**
   * Emits the stored text — the key, `$VARIABLE` or `!command` — once, and completes; fails with a Failure if it is
   * gone.
   */
  read(key: StoredKey): Observable<string>
  /** Accounts that a person signed in to; their tokens come before stored keys. @default none */
  readonly accounts?: AccountSource
}

export interface KeyToStore {
  readonly provider: string
  /** The key's address, with a scheme. */
  readonly origin: string
  /** The key, `$VARIABLE` or `!command`. */
  readonly value: string
  /** False: it replaces the keys stored for this provider and address. */
  readonly add: boolean
  /** `auto`: the machine's keychain if it works, else the file. */
  readonly where: 'auto' | 'keychain' | 'file'
}

export interface KeyWasStored extends StoredKey {
  /** Why the file was used although the keychain was tried. */
  readonly keychainProblem?: string
}

/** The write side. */
export interface WritableAuthStorage extends AuthStorage {
  /** Emits once the key is on disk; fails with a Failure. */
  store(key: KeyToStore): Observable<KeyWasStored>
  /** Removes one key, or all of the provider; emits how many were removed. */
  remove(provider: string, id?: string): Observable<number>
}

// Lets a host supply the key of each request, for instance one that expires.

/**
 * Called before each request with the provider's name; its last value is the key. If it emits undefined or nothing, the
 * keys of environment, store and `models.json` are used. If it throws, the request fails with kind `auth`.
 */
export type GetApiKey = (provider: string) => ObservableInput<string | undefined> | undefined

const shortest = 20

/**
 * `tail`: the last four characters of a key of 20 characters or more; nothing for a shorter one, which they would
 * reveal.
 */
export function keyTail(key: string): { readonly tail?: string } {
  return key.length < shortest ? {} : { tail: `…${key.slice(-4)}` }
}
