// Gives requests the access tokens of accounts, and renews them five minutes before they expire.
// Guarantees: two servers at once make one renewal; a renewed token is stored before it is used.
import {
  ReplaySubject,
  catchError,
  concat,
  concatMap,
  defer,
  finalize,
  ignoreElements,
  map,
  of,
  share,
  throwError,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { AccountGrant } from '../../providers/accounts/account-vendor.ts'
import type { Fetch } from '../../providers/index.ts'
import type {
  AccountSource,
  AccountStorage,
  AccountTokens,
  StoredAccount,
} from '../../streams/accounts/account-storage.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { Failure } from '../../streams/values/failure.ts'

/** Renews tokens with the vendor; it rejects with a Failure kind `auth` if the vendor refuses. */
export type RenewAccount = (
  account: StoredAccount,
  tokens: AccountTokens,
  signal: AbortSignal,
) => Promise<Pick<AccountGrant, 'tokens' | 'facts' | 'origin'>>

export interface AccountSourceOptions {
  readonly storage: AccountStorage
  readonly renew: RenewAccount
}

/** Milliseconds before its end at which a token is renewed. */
const marginMs = 5 * 60_000
/** Milliseconds until a failed renewal of a token that still works is tried again. */
const pauseMs = 30_000

/** Renewals are made by `createRenewals`; a token that still works is used while the vendor cannot be reached. */
export function createAccountSource({ storage, renew }: AccountSourceOptions): AccountSource {
  const renewOnce$ = createRenewals({ storage, renew })
  const pauses = new Map<string, number>()
  const isDue = ({ id }: StoredAccount, leftMs: number): boolean =>
    leftMs <= marginMs && (leftMs <= 0 || (pauses.get(id) ?? 0) <= Date.now())
  return {
    list: (provider) => storage.list(provider),
    access: (account, refused) =>
      defer(() => {
        const now = currentOf(storage, account)
        if (now.isSignedOut === true) throw signedOutFailure(now)
        // another process may have replaced the refused token already
        if (refused !== undefined)
          return accessOf(storage, now).pipe(concatMap((access) => (access === refused ? renewOnce$(now) : of(access))))
        const leftMs = now.expiresAt === undefined ? Infinity : now.expiresAt - Date.now()
        if (!isDue(now, leftMs)) return accessOf(storage, now)
        return renewOnce$(now).pipe(
          catchError((error: unknown) => {
            if (leftMs <= 0 || Failure.from(error).data.kind === 'auth') throw error
            pauses.set(now.id, Date.now() + pauseMs)
            return accessOf(storage, now)
          }),
        )
      }),
  }
}

/**
 * Returns a function that renews the token of an account: once for all requesters of this process, and under a lock for
 * those of others. A renewal that has begun goes on when its requesters leave, bounded by the time-out of its request: a
 * token that the vendor rotated and rxpi dropped would sign the person out.
 */
function createRenewals({ storage, renew }: AccountSourceOptions): (account: StoredAccount) => Observable<string> {
  const renewals = new Map<string, Observable<string>>()
  return (account) => {
    const { id } = account
    const running$ = renewals.get(id)
    if (running$ !== undefined) return running$
    const renewal$ = renewOnce(account, { storage, renew }).pipe(
      finalize(() => {
        renewals.delete(id)
      }),
      share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: false }),
    )
    renewals.set(id, renewal$)
    return renewal$
  }
}

function renewOnce(account: StoredAccount, { storage, renew }: AccountSourceOptions): Observable<string> {
  return storage.locked(account, () => {
    const now = currentOf(storage, account)
    if (now.renewedAt !== account.renewedAt) return accessOf(storage, now) // another process was first
    return storage.tokens(now).pipe(
      concatMap((tokens) => fromAbortable((signal) => renew(now, tokens, signal))),
      catchError((error: unknown) => markRefused(now, { failure: Failure.from(error, 'provider_error'), storage })),
      concatMap(({ tokens, facts, origin }) =>
        storage.change(now, { tokens, facts, origin }).pipe(map(() => tokens.access)),
      ),
    )
  })
}

/** Marks the account, so that the next request fails without another request to the vendor. */
function markRefused(
  account: StoredAccount,
  { failure, storage }: { readonly failure: Failure; readonly storage: AccountStorage },
): Observable<never> {
  if (failure.data.kind !== 'auth') return throwError(() => failure)
  const marked$ = storage.change(account, { isSignedOut: true }).pipe(ignoreElements())
  return concat(
    marked$,
    throwError(() => signedOutFailure(account, failure)),
  )
}

/** The renewal by the vendors' own means, loaded with the first one. */
export function vendorRenewal(fetch: Fetch | undefined): RenewAccount {
  return async (account, tokens, signal) => {
    const [{ accountVendor }, { renewAccount }] = await Promise.all([
      import('../../providers/accounts/account-vendors.ts'),
      import('../../providers/accounts/grant-account.ts'),
    ])
    const vendor = accountVendor(account.provider)
    if (vendor === undefined) throw signedOutFailure(account)
    return renewAccount({ vendor, domain: account.domain, fetch }, tokens, signal)
  }
}

function accessOf(storage: AccountStorage, account: StoredAccount): Observable<string> {
  return storage.tokens(account).pipe(map(({ access }) => access))
}

/** The account as it is stored now. */
function currentOf(storage: AccountStorage, { id, provider }: StoredAccount): StoredAccount {
  const found = storage.list(provider).find((account) => account.id === id)
  if (found !== undefined) return found
  const message = `The account of ${provider} was signed out; sign in again: /login, or rxpi auth login ${provider}.`
  throw new Failure('provider_error', message, { data: { kind: 'auth' } })
}

function signedOutFailure({ provider, name }: StoredAccount, cause?: Failure): Failure {
  const whose = name === undefined ? '' : ` (${name})`
  const reason = cause === undefined ? 'the vendor no longer renews its token.' : cause.message
  const message = `The account of ${provider}${whose} is signed out: ${reason} Sign in again with /login, or rxpi auth login ${provider}.`
  return new Failure('provider_error', message, { data: { kind: 'auth', accountSignedOut: true }, cause })
}
