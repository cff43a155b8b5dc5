// Gives the requests to one MCP server the access token of its account, and renews it.
// Guarantees: two processes at once make one renewal; a token goes to the origin that it was stored for, and nowhere else.
import { refreshAuthorization, UnauthorizedError } from '@modelcontextprotocol/client'
import type { AuthProvider } from '@modelcontextprotocol/client'
import {
  catchError,
  concatMap,
  defaultIfEmpty,
  defer,
  finalize,
  firstValueFrom,
  map,
  of,
  ReplaySubject,
  share,
  throwError,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { AccountStorage, AccountTokens, StoredAccount } from '../../streams/accounts/account-storage.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { McpServer } from '../contract/mcp-server.ts'
import { oauthFetch } from './oauth-fetch.ts'
import { accountName, readRegistration, toGrant } from './server-grant.ts'
import type { McpGrant } from './server-grant.ts'

export interface ServerAuthOptions {
  readonly accounts: AccountStorage
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** Milliseconds before its end at which a token is renewed. */
const marginMs = 60_000

/**
 * The SDK's provider for the transports of one server. `token` resolves with undefined without an account; a demand for a sign-in
 * rejects with the SDK's `UnauthorizedError` if nothing can be renewed. Undefined for a program, and for a server with `oauth: false`.
 */
export function serverAuth(server: McpServer, { accounts, fetch }: ServerAuthOptions): AuthProvider | undefined {
  const { transport, oauth } = server
  const name = accountName(server)
  if (transport.kind === 'stdio' || oauth === false || name === undefined) return undefined
  const url = new URL(transport.url)
  const find = (): StoredAccount | undefined => accounts.list(name).find(({ origin }) => origin === url.origin)
  const renew$ = sharedRenewal({ accounts, url, fetch, find })
  let used: string | undefined
  const use = async (token$: Observable<string | undefined>): Promise<string | undefined> =>
    (used = await firstValueFrom(token$, { defaultValue: undefined }))
  return {
    token: () => use(defer(() => currentToken(find(), accounts, renew$))),
    onUnauthorized: async () => {
      const account = find()
      if (account === undefined || account.isSignedOut === true) throw new UnauthorizedError()
      const stored = await firstValueFrom(accounts.tokens(account), { defaultValue: undefined })
      // another process may have replaced the refused token already
      if (stored?.access === used) await use(renew$(account))
    },
  }
}

function currentToken(
  account: StoredAccount | undefined,
  accounts: AccountStorage,
  renew$: Renewal,
): Observable<string | undefined> {
  if (account === undefined || account.isSignedOut === true) return of(undefined)
  const stored$ = accounts.tokens(account).pipe(map(({ access }) => access))
  const leftMs = account.expiresAt === undefined ? Infinity : account.expiresAt - Date.now()
  if (leftMs > marginMs) return stored$
  // a token that still works is used while the vendor cannot be reached
  return renew$(account).pipe(
    catchError((error: unknown) => {
      if (leftMs > 0) return stored$
      throw error
    }),
  )
}

type Renewal = (account: StoredAccount) => Observable<string>

interface RenewalParts extends ServerAuthOptions {
  readonly url: URL
  /** The account as it is stored now. */
  find(): StoredAccount | undefined
}

/** One renewal at a time in this process; it goes on when its requester leaves, because a rotated token must be stored. */
function sharedRenewal(parts: RenewalParts): Renewal {
  let running$: Observable<string> | undefined
  return (account) =>
    (running$ ??= renewOnce(account, parts).pipe(
      finalize(() => {
        running$ = undefined
      }),
      share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: false }),
    ))
}

/** Emits the access token. Fails with `UnauthorizedError` if the grant is refused: the account is marked then. */
function renewOnce(account: StoredAccount, { accounts, url, fetch, find }: RenewalParts): Observable<string> {
  return accounts.locked(account, () => {
    const now = find()
    if (now === undefined) return throwError(() => new UnauthorizedError())
    const tokens$ = accounts.tokens(now)
    if (now.renewedAt !== account.renewedAt) return tokens$.pipe(map(({ access }) => access)) // another process was first
    return tokens$.pipe(
      concatMap((tokens) => fromAbortable((signal) => requestTokens(tokens, { url, fetch, signal }))),
      concatMap(({ tokens, facts }) =>
        accounts.change(now, { tokens, facts }).pipe(
          map(() => tokens.access),
          defaultIfEmpty(tokens.access),
        ),
      ),
      catchError((error: unknown) => {
        if (Failure.from(error, 'mcp_error').data.kind !== 'auth') throw error
        return accounts.change(now, { isSignedOut: true }).pipe(
          defaultIfEmpty(now),
          map(() => {
            throw new UnauthorizedError()
          }),
        )
      }),
    )
  })
}

interface Exchange {
  readonly url: URL
  readonly fetch: typeof globalThis.fetch | undefined
  readonly signal: AbortSignal
}

async function requestTokens(tokens: AccountTokens, { url, fetch, signal }: Exchange): Promise<McpGrant> {
  const { refresh } = tokens
  if (refresh === undefined) throw new Failure('mcp_error', 'The token cannot be renewed', { data: { kind: 'auth' } })
  const registration = readRegistration(tokens)
  const { authorizationServer, metadata, client, resource } = registration
  const renewed = await refreshAuthorization(authorizationServer, {
    metadata,
    clientInformation: client,
    refreshToken: refresh,
    ...(resource !== undefined && { resource }),
    fetchFn: oauthFetch({ url, fetch, signal }),
  })
  return toGrant(url, renewed, registration)
}
