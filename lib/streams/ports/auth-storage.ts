// The port to where people's keys are kept: what is stored is listed at once, without its values, and looked up when it is needed.
import type { Observable, ObservableInput } from 'rxjs'

/** A key as it is stored, never the key itself. */
export interface StoredKey {
  readonly id: string
  readonly provider: string
  /** Scheme, host and port of the address that it was stored for; it is sent to no other. */
  readonly origin: string
  readonly kept: 'file' | 'keychain'
  /** `variable`: what is stored is `$VARIABLE`; `command`: it is `!command`. */
  readonly kind: 'key' | 'variable' | 'command'
  /** The variable's name. */
  readonly variable?: string
  /** The last characters of a long key, for people to tell keys apart; absent where that is not known or would tell too much. */
  readonly tail?: string
}

/** What a session is given: keys of providers, beside those of environment and `models.json`. */
export interface AuthStorage {
  /**
   * Of this provider or of all, in the order in which they were stored; a session's model is found in the same call.
   * @throws Failure `bad_config` where what is stored cannot be read
   */
  list(provider?: string): readonly StoredKey[]
  /** Emits what is stored — the key, `$VARIABLE` or `!command` — once, and completes; fails with a Failure where it is gone. */
  read(key: StoredKey): Observable<string>
}

export interface KeyToStore {
  readonly provider: string
  /** The address that it is for, with a scheme. */
  readonly origin: string
  /** The key, `$VARIABLE` or `!command`. */
  readonly value: string
  /** False: in the place of those that are stored for this provider and address. */
  readonly add: boolean
  /** `auto`: the machine's keychain where it works, else the file. */
  readonly where: 'auto' | 'keychain' | 'file'
}

export interface KeyWasStored extends StoredKey {
  /** Why it is in the file although the keychain was to be tried. */
  readonly keychainProblem?: string
}

/** Where keys can be put, too. */
export interface WritableAuthStorage extends AuthStorage {
  /** Emits once, when it is on the disk; fails with a Failure. */
  store(key: KeyToStore): Observable<KeyWasStored>
  /** Removes one, or all of the provider; emits how many there were. */
  remove(provider: string, id?: string): Observable<number>
}

// A host may bring the key of each request itself, for instance one that expires.

/**
 * Asked before each request with the provider's name; its last value is the key. Undefined, or nothing: the keys of
 * environment, storage and `models.json` count. What it throws ends the request as a failure of kind `auth`.
 */
export type GetApiKey = (provider: string) => ObservableInput<string | undefined> | undefined

// A key is told from another by its last four characters, where so few of so many tell nothing else.

const shortest = 20

/** `tail`: the end of a key of 20 characters or more; nothing for a shorter one. */
export function keyTail(key: string): { readonly tail?: string } {
  return key.length < shortest ? {} : { tail: `…${key.slice(-4)}` }
}
