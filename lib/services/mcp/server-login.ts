// Signs in to an MCP server in the list of sign-ins, as to an account of models.
import { map, switchMap, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { McpServer } from '../../mcp/contract/mcp-server.ts'
import type { McpAccounts } from '../../mcp/oauth/mcp-accounts.ts'
import { noSignInFailure } from '../../mcp/oauth/sign-in.ts'
import type { McpSignIn } from '../../mcp/oauth/sign-in.ts'
import { describeAccount } from '../../providers/keys/account-keys.ts'
import type { AccountToStore } from '../../streams/accounts/account-storage.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { LoginFlow } from '../accounts/login-flow.ts'
import { keychainNotice } from '../accounts/login-list.ts'
import type { LoginStart } from '../accounts/login-list.ts'

export interface ServerLoginOptions {
  readonly accounts: McpAccounts
  readonly where: AccountToStore['where']
  /** The account has changed: connections of the server begin anew. */
  onChanged(): void
}

/** @throws Failure `bad_request` for a program, and for a server whose configuration has `oauth: false` */
export function serverLogin(server: McpServer, { accounts, where, onChanged }: ServerLoginOptions): LoginStart {
  const { name, transport } = server
  if (transport.kind === 'stdio' || server.oauth === false) throw noSignInFailure(server)
  return {
    key: `mcp ${name} ${transport.url}`,
    facts: {
      provider: `mcp:${name}`,
      title: `the MCP server ${name} (${new URL(transport.url).host})`,
      method: 'browser',
    },
    flow: () => loginFlow(accounts.signIn(server)),
    store: (grant) =>
      accounts.store(server, grant, where).pipe(
        tap(onChanged),
        map((stored) => ({ account: describeAccount(stored), notices: [...keychainNotice(stored)] })),
      ),
  }
}

/** Emits the number of removed accounts; fails with `bad_request` if there is none. */
export function serverLogout(
  server: McpServer,
  { accounts, onChanged }: Pick<ServerLoginOptions, 'accounts' | 'onChanged'>,
): Observable<{ readonly removed: number }> {
  return accounts.signOut(server).pipe(
    map((removed) => {
      if (removed === 0) throw new Failure('bad_request', `No account of the MCP server ${server.name} is stored.`)
      onChanged()
      return { removed }
    }),
  )
}

function loginFlow(signIn$: Observable<McpSignIn>): LoginFlow {
  let begun: McpSignIn | undefined
  return {
    input: (text) => {
      if (begun === undefined) throw new Failure('bad_request', 'The sign-in has not begun yet.')
      begun.input(text)
    },
    updates$: signIn$.pipe(
      tap((signIn) => (begun = signIn)),
      switchMap(({ updates$ }) => updates$),
    ),
  }
}
