// Joins what MCP servers need of the key store: tokens for requests, sign-ins and sign-outs.
import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client'
import type { AuthProvider } from '@modelcontextprotocol/client'
import { catchError, defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { httpFetch } from '../../host/http/http-fetch.ts'
import type { AccountStorage, AccountToStore, AccountWasStored } from '../../streams/accounts/account-storage.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { McpServer } from '../contract/mcp-server.ts'
import { serverAuth } from './server-auth.ts'
import type { ServerAuthOptions } from './server-auth.ts'
import { accountAt, accountName, readRegistration } from './server-grant.ts'
import type { McpGrant } from './server-grant.ts'
import { signIn } from './sign-in.ts'
import type { McpSignIn } from './sign-in.ts'
import { rememberUnstored } from './unstored-grants.ts'

const maxScopeLength = 4_096

export interface McpAccounts {
  /** For the transports of one server. Undefined for a program, and for a server with `oauth: false`. */
  authFor(server: McpServer): AuthProvider | undefined
  /** For the transports of all servers: notes which scopes a server misses. */
  readonly fetch: typeof globalThis.fetch
  /** Asks for the rights that the account has, and for those that the server has missed since. Emits the sign-in once. */
  signIn(server: McpServer): Observable<McpSignIn>
  /** Replaces the account at the server's address; emits once it is on disk. */
  store(server: McpServer, grant: McpGrant, where: AccountToStore['where']): Observable<AccountWasStored>
  /** Emits the number of removed accounts. */
  signOut(server: McpServer): Observable<number>
}

export function mcpAccounts({ accounts: stored, fetch = httpFetch }: ServerAuthOptions): McpAccounts {
  const accounts = rememberUnstored(stored)
  /** Scopes that servers have missed, by account: one entry for each address. */
  const missed = new Map<string, string>()
  return {
    authFor: (server) => serverAuth(server, { accounts, fetch }),
    fetch: noteScopes(fetch, (url, scope) => missed.set(accountAt(url), scope)),
    signIn: (server) =>
      defer(() => {
        const name = accountName(server) ?? ''
        return grantedScope(accounts, name).pipe(
          map((granted) => signIn(server, { fetch, scope: [granted, missed.get(name)].filter(Boolean).join(' ') })),
        )
      }),
    store: (server, { tokens, facts, origin }, where) =>
      defer(() => {
        const name = nameOf(server)
        return accounts.store({ ...facts, provider: name, origin, tokens, where }).pipe(
          map((account) => {
            missed.delete(name)
            return account
          }),
        )
      }),
    signOut: (server) => defer(() => accounts.remove(nameOf(server))),
  }
}

/** @throws Failure `bad_request` for a program */
function nameOf(server: McpServer): string {
  const name = accountName(server)
  if (name !== undefined) return name
  throw new Failure('bad_request', `The MCP server "${server.name}" has no account: it is a program of this machine.`)
}

/** Emits the scopes of the stored account; empty without one, or if it cannot be read: the sign-in replaces it. */
function grantedScope(accounts: AccountStorage, name: string): Observable<string> {
  return defer(() => {
    const [account] = accounts.list(name)
    return account === undefined
      ? of('')
      : accounts.tokens(account).pipe(map((tokens) => readRegistration(tokens).scope ?? ''))
  }).pipe(catchError(() => of('')))
}

function noteScopes(
  fetch: typeof globalThis.fetch,
  onMissing: (url: URL, scope: string) => void,
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.status !== 403) return response
    const { error, scope } = extractWWWAuthenticateParams(response)
    const url = new URL(input instanceof Request ? input.url : input)
    if (error === 'insufficient_scope' && scope !== undefined && scope.length <= maxScopeLength) onMissing(url, scope)
    return response
  }
}
