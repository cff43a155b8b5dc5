// Gives requests the access tokens of accounts, and renews them five minutes before they expire.
// Guarantees: two servers at once make one renewal; a renewed token is stored before it is used, or held in memory.
import {
  EMPTY,
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
  tap,
  throwError,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { Fetch } from '../http/guarded-fetch.ts'
import type {
  AccountProblem,
  AccountSource,
  AccountStorage,
  AccountTokens,
  StoredAccount,
} from '../../streams/accounts/account-storage.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { Failure } from '../../streams/values/failure.ts'
import { createTokenMemory } from './unstored-tokens.ts'
import type { RenewedTokens, TokenMemory } from './unstored-tokens.ts'

/** Renews tokens with the vendor; it rejects with a Failure kind `auth` if the vendor refuses. */
export type RenewAccount = (
  account: StoredAccount,
  tokens: AccountTokens,
  signal: AbortSignal,
) => Promise<RenewedTokens>

export interface AccountSourceOptions {
  readonly storage: AccountStorage
  /** @default by the vendors that rxpi knows */
  readonly renew?: RenewAccount
}

/** Milliseconds before its end at which a token is renewed. */
const marginMs = 5 * 60_000
/** Milliseconds until a failed renewal of a token that still works is tried again. */
const pauseMs = 30_000

/** Renewals are made by `createRenewals`; a token that still works is used while the vendor cannot be reached. */
export function createAccountSource(options: AccountSourceOptions): AccountSource {
  const { storage } = options
  const parts = { storage, renew: options.renew ?? vendorRenewal(undefined), memory: createTokenMemory() }
  const renewOnce$ = createRenewals(parts)
  const pauses = new Map<string, number>()
  const isDue = ({ id }: StoredAccount, leftMs: number): boolean =>
    leftMs <= marginMs && (leftMs <= 0 || (pauses.get(id) ?? 0) <= performance.now())
  return {
    list: (provider) => storage.list(provider),
    access: (account, refused) =>
      defer(() => {
        const now = currentOf(account, parts)
        if (now.isSignedOut === true) throw signedOutFailure(now)
        const access$ = concat(storeAgain(now, parts), accessOf(now, parts))
        // another process may have replaced the refused token already
        if (refused !== undefined)
          return access$.pipe(concatMap((access) => (access === refused ? renewOnce$(now) : of(access))))
        const leftMs = now.expiresAt === undefined ? Infinity : now.expiresAt - Date.now()
        if (!isDue(now, leftMs)) return access$
        return renewOnce$(now).pipe(
          catchError((error: unknown) => {
            if (leftMs <= 0 || Failure.from(error).data.kind === 'auth') throw error
            pauses.set(now.id, performance.now() + pauseMs)
            return accessOf(now, parts)
          }),
        )
      }),
    problem: (account) => {
      const reason = parts.memory.reasonFor(account)
      return reason === undefined ? undefined : unstoredWarning(account, reason)
    },
  }
}

interface SourceParts extends Required<AccountSourceOptions> {
  readonly memory: TokenMemory
}

function unstoredWarning({ provider }: StoredAccount, reason: string): AccountProblem {
  const message = `The renewed token of ${provider} could not be stored (${reason}); it is in this server's memory alone. If the server ends before it can be stored, sign in again.`
  return { code: 'account_not_stored', message }
}

/** Tries to store tokens that the disk refused. Emits nothing; a failure leaves them in memory. */
function storeAgain(account: StoredAccount, { storage, memory }: SourceParts): Observable<never> {
  const held = memory.of(account)
  if (held === undefined || !memory.takeTurn(account)) return EMPTY
  return storage.change(account, held.renewed).pipe(
    tap(() => {
      memory.release(account)
    }),
    catchError((error: unknown) => {
      memory.hold(account, held.renewed, Failure.from(error))
      return EMPTY
    }),
    ignoreElements(),
  )
}

/**
 * Returns a function that renews the token of an account: once for all requesters of this process, and under a lock for
 * those of others. A renewal that has begun goes on when its requesters leave, bounded by the time-out of its request: a
 * token that the vendor rotated and rxpi dropped would sign the person out.
 */
function createRenewals(parts: SourceParts): (account: StoredAccount) => Observable<string> {
  const renewals = new Map<string, Observable<string>>()
  return (account) => {
    const { id } = account
    const running$ = renewals.get(id)
    if (running$ !== undefined) return running$
    const renewal$ = renewOnce(account, parts).pipe(
      finalize(() => {
        renewals.delete(id)
      }),
      share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: false }),
    )
    renewals.set(id, renewal$)
    return renewal$
  }
}

function renewOnce(account: StoredAccount, parts: SourceParts): Observable<string> {
  const { storage, memory, renew } = parts
  return storage.locked(account, () => {
    const now = currentOf(account, parts)
    if (now.renewedAt !== account.renewedAt) return accessOf(now, parts) // another process was first
    const held = memory.of(now)
    return (held === undefined ? storage.tokens(now) : of(held.renewed.tokens)).pipe(
      concatMap((tokens) => fromAbortable((signal) => renew(now, tokens, signal))),
      catchError((error: unknown) => markRefused(now, { failure: Failure.from(error, 'provider_error'), storage })),
      concatMap((renewed) => storeRenewed(now, renewed, parts)),
    )
  })
}

/** Emits the access token, also if the disk refuses the tokens: the vendor has taken the earlier refresh token back. */
function storeRenewed(
  account: StoredAccount,
  { tokens, facts, origin }: RenewedTokens,
  { storage, memory }: SourceParts,
): Observable<string> {
  return storage.change(account, { tokens, facts, origin }).pipe(
    map(() => {
      memory.release(account)
      return tokens.access
    }),
    catchError((error: unknown) => {
      memory.hold(account, { tokens, facts, origin }, Failure.from(error))
      return of(tokens.access)
    }),
  )
}

/** Marks the account, so that the next request fails without another request to the vendor. */
function markRefused(
  account: StoredAccount,
  { failure, storage }: { readonly failure: Failure; readonly storage: AccountStorage },
): Observable<never> {
  if (failure.data.kind !== 'auth') return throwError(() => failure)
  // without the mark the next request asks the vendor again
  const marked$ = storage.change(account, { isSignedOut: true }).pipe(
    ignoreElements(),
    catchError(() => EMPTY),
  )
  return concat(
    marked$,
    throwError(() => signedOutFailure(account, failure)),
  )
}

/** The renewal by the vendors' own means, loaded with the first one. */
export function vendorRenewal(fetch: Fetch | undefined): RenewAccount {
  return async (account, tokens, signal) => {
    const [{ accountVendor }, { renewAccount }] = await Promise.all([
      import('./account-vendors.ts'),
      import('./grant-account.ts'),
    ])
    const vendor = accountVendor(account.provider)
    if (vendor === undefined) throw signedOutFailure(account)
    return renewAccount({ vendor, domain: account.domain, fetch }, tokens, signal)
  }
}

function accessOf(account: StoredAccount, { storage, memory }: SourceParts): Observable<string> {
  return defer(() => {
    const held = memory.of(account)
    return held === undefined
      ? storage.tokens(account).pipe(map(({ access }) => access))
      : of(held.renewed.tokens.access)
  })
}

/** The account as it is stored now, with the facts of tokens that are in memory alone. */
function currentOf({ id, provider }: StoredAccount, { storage, memory }: SourceParts): StoredAccount {
  const found = storage.list(provider).find((account) => account.id === id)
  if (found !== undefined) return { ...found, ...memory.of(found)?.renewed.facts }
  const message = `The account of ${provider} was signed out; sign in again: /login, or rxpi auth login ${provider}.`
  throw new Failure('provider_error', message, { data: { kind: 'auth' } })
}

function signedOutFailure({ provider, name }: StoredAccount, cause?: Failure): Failure {
  const whose = name === undefined ? '' : ` (${name})`
  const reason = cause === undefined ? 'the vendor no longer renews its token.' : cause.message
  const message = `The account of ${provider}${whose} is signed out: ${reason} Sign in again with /login, or rxpi auth login ${provider}.`
  return new Failure('provider_error', message, { data: { kind: 'auth', accountSignedOut: true }, cause })
}
