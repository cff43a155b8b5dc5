// Ports of accounts: tokens of a plan that a person signed in to, in place of a key.
import type { Observable } from 'rxjs'
import type { AccountFileEntry } from './accounts-file-schema.ts'

/** A stored account without its tokens. */
export interface StoredAccount extends Omit<AccountFileEntry, 'tokens'> {
  readonly provider: string
  readonly kept: 'file' | 'keychain'
}

/** The secrets of an account. */
export interface AccountTokens {
  /** Sent with each request. */
  readonly access: string
  /** Renews the access token; absent if nothing can. */
  readonly refresh?: string
  /** Of an account at an MCP server: what its renewal needs beside, as JSON. */
  readonly registration?: string
}

/** Facts about an account that a sign-in or a renewal may change. */
export type AccountFacts = Pick<
  AccountFileEntry,
  'expiresAt' | 'name' | 'plan' | 'accountId' | 'baseUrl' | 'domain' | 'models'
>

export interface AccountToStore extends AccountFacts {
  readonly provider: string
  /** Scheme, host and port to which the access token may be sent. */
  readonly origin: string
  readonly tokens: AccountTokens
  /** `auto`: the machine's keychain if it works, else the file. */
  readonly where: 'auto' | 'keychain' | 'file'
}

export interface AccountWasStored extends StoredAccount {
  /** Why the file was used although the keychain was tried. */
  readonly keychainProblem?: string
}

/** New tokens of an account, or the fact that the vendor refused to renew them. */
export type AccountChange =
  | { readonly tokens: AccountTokens; readonly facts: AccountFacts; readonly origin?: string }
  | { readonly isSignedOut: true }

/** The store of accounts: one account for each provider. */
export interface AccountStorage {
  /** Synchronous. @throws Failure `bad_config` if the store cannot be read */
  list(provider?: string): readonly StoredAccount[]
  /** Emits the tokens once; fails with a Failure kind `auth` if they are gone. */
  tokens(account: StoredAccount): Observable<AccountTokens>
  /** Replaces the provider's account; emits once it is on disk. */
  store(account: AccountToStore): Observable<AccountWasStored>
  /** Changes a stored account; completes empty if the account is gone. */
  change(account: StoredAccount, change: AccountChange): Observable<StoredAccount>
  /** Emits the number of removed accounts. */
  remove(provider: string): Observable<number>
  /** Subscribes to `work()` while no other process renews this account. */
  locked<Value>(account: StoredAccount, work: () => Observable<Value>): Observable<Value>
}

/** How requests get the tokens of accounts. */
export interface AccountSource {
  /** Synchronous; see `AccountStorage`. */
  list(provider: string): readonly StoredAccount[]
  /**
   * Emits an access token that is valid for minutes and completes. It renews the tokens if needed.
   * @param refused the token that the provider refused: another one is emitted
   */
  access(account: StoredAccount, refused?: string): Observable<string>
  /** A problem of the account that does not stop requests; undefined if there is none. */
  problem?(account: StoredAccount): AccountProblem | undefined
}

/** A problem that people need to know. */
export interface AccountProblem {
  /** `account_not_stored`. */
  readonly code: string
  /** One sentence or two, ended by a full stop. */
  readonly message: string
}
