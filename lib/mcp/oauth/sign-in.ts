// Signs in to an MCP server by the browser's answer, or by one that a person pastes.
// Guarantees: an answer counts once, with the state of this sign-in and from its issuer.
import { randomBytes } from 'node:crypto'
import { auth, extractWWWAuthenticateParams } from '@modelcontextprotocol/client'
import {
  NEVER,
  Subject,
  catchError,
  concat,
  concatMap,
  connect,
  exhaustMap,
  first,
  map,
  merge,
  of,
  switchMap,
  takeWhile,
  tap,
  throwError,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { listenForCallback } from '../../host/http/loopback-callback.ts'
import { callbackAnswers, readPasted } from '../../host/http/sign-in-answer.ts'
import type { ListenEvent, SignInAnswer } from '../../host/http/sign-in-answer.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { McpOAuth, McpRemote, McpServer } from '../contract/mcp-server.ts'
import { describingLine } from '../content/foreign-text.ts'
import { loginProvider } from './login-provider.ts'
import type { LoginProvider } from './login-provider.ts'
import { isAllowedFor, oauthFetch } from './oauth-fetch.ts'
import { toGrant } from './server-grant.ts'
import type { McpGrant } from './server-grant.ts'

export type McpSignInUpdate =
  /** `host`: where the person signs in. */
  | { readonly step: 'open_url'; readonly url: string; readonly listens: boolean; readonly host: string }
  | { readonly step: 'finishing' }
  | { readonly step: 'granted'; readonly grant: McpGrant }

/** One sign-in, in the form of those to accounts of models. */
export interface McpSignIn {
  /** Emits the steps; completes after `granted`, or fails with a Failure. Unsubscribing cancels it. */
  readonly updates$: Observable<McpSignInUpdate>
  /** Takes what a person pasted. @throws Failure `bad_request` if it is not of this sign-in */
  input(text: string): void
}

export interface SignInOptions {
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Scopes beside those that the server names, separated by spaces. */
  readonly scope?: string | undefined
}

const callbackPath = '/callback'

/** @throws Failure `bad_request` for a program, and for a server whose configuration has `oauth: false` */
export function signIn(server: McpServer, options: SignInOptions = {}): McpSignIn {
  const { name, transport, oauth = {} } = server
  if (transport.kind === 'stdio' || oauth === false) throw noSignInFailure(server)
  const state = randomBytes(32).toString('base64url')
  const pasted$ = new Subject<SignInAnswer>()
  const port = oauth.callbackPort ?? 0
  const login = { name, transport, oauth, state, ...options }
  const events$ = listenForCallback({ port, path: callbackPath }).pipe(
    catchError((error: unknown) => {
      if (port === 0) throw error
      return concat(of({ type: 'taken' as const }), NEVER)
    }),
  )
  return {
    input: (text) => {
      pasted$.next({ parameters: readPasted(text, state), respond: () => undefined })
    },
    updates$: events$.pipe(
      connect((shared$) => followLogin(shared$, pasted$, { ...login, port })),
      takeWhile(({ step }) => step !== 'granted', true),
    ),
  }
}

interface Login extends SignInOptions {
  readonly name: string
  readonly transport: McpRemote
  readonly oauth: McpOAuth
  readonly state: string
  readonly port: number
}

function followLogin(
  events$: Observable<ListenEvent>,
  pasted$: Observable<SignInAnswer>,
  login: Login,
): Observable<McpSignInUpdate> {
  const isOwn = (parameters: URLSearchParams): boolean => parameters.get('state') === login.state
  return events$.pipe(
    first((event) => event.type !== 'request'),
    concatMap((event) => {
      const listens = event.type === 'listening'
      const redirectUrl = `http://127.0.0.1:${listens ? event.port : login.port}${callbackPath}`
      return fromAbortable((signal) => begin(login, redirectUrl, signal)).pipe(map((begun) => ({ ...begun, listens })))
    }),
    switchMap(({ page, listens, ...begun }) =>
      concat(
        of<McpSignInUpdate>({ step: 'open_url', url: page.href, listens, host: page.host }),
        merge(callbackAnswers(events$, isOwn), pasted$).pipe(exhaustMap((answer) => finish(login, begun, answer))),
      ),
    ),
    catchError((error: unknown) => throwError(() => signInFailure(login, error))),
  )
}

interface Begun {
  readonly provider: LoginProvider
  readonly resourceMetadataUrl: URL | undefined
}

async function begin(login: Login, redirectUrl: string, signal: AbortSignal): Promise<Begun & { readonly page: URL }> {
  const { oauth, state, transport, fetch } = login
  const url = new URL(transport.url)
  const fetchFn = oauthFetch({ url, fetch, signal })
  const challenge = await readChallenge(login, fetchFn)
  const provider = loginProvider({ redirectUrl, state, oauth })
  const scope = joinScopes([...(oauth.scopes ?? [challenge.scope]), login.scope])
  const { resourceMetadataUrl } = challenge
  const where = { ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }), ...(scope !== '' && { scope }) }
  await auth(provider, { serverUrl: url, fetchFn, ...where })
  const page = provider.authorizationUrl()
  if (!isAllowedFor(page, url))
    throw new Failure('mcp_error', `its page ${page.origin} is not https, or it is this machine`)
  return { provider, resourceMetadataUrl, page }
}

/** @param scopes each a list of scopes, separated by spaces */
function joinScopes(scopes: readonly (string | undefined)[]): string {
  return [...new Set(scopes.flatMap((scope) => scope?.split(' ') ?? []))].filter((scope) => scope !== '').join(' ')
}

/** What the server says to a request without a token. */
async function readChallenge(
  { transport: { url, headers } }: Login,
  fetchFn: typeof globalThis.fetch,
): Promise<ReturnType<typeof extractWWWAuthenticateParams>> {
  const response = await fetchFn(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  const challenge = extractWWWAuthenticateParams(response)
  const { resourceMetadataUrl } = challenge
  if (resourceMetadataUrl === undefined || resourceMetadataUrl.origin === new URL(url).origin) return challenge
  throw new Failure('mcp_error', `it describes itself at ${resourceMetadataUrl.origin}, which is another origin`)
}

function finish(login: Login, begun: Begun, { parameters, respond }: SignInAnswer): Observable<McpSignInUpdate> {
  const granted$ = fromAbortable((signal) => exchange(login, begun, { parameters, signal })).pipe(
    tap(() =>
      respond({ status: 200, title: 'You are signed in', text: `rxpi may use ${login.name}. Close this page.` }),
    ),
    map((grant): McpSignInUpdate => ({ step: 'granted', grant })),
    catchError((error: unknown) => {
      const failure = signInFailure(login, error)
      respond({ status: 502, title: 'The sign-in failed', text: `${failure.message} Begin again in rxpi.` })
      return throwError(() => failure)
    }),
  )
  return concat(of<McpSignInUpdate>({ step: 'finishing' }), granted$)
}

interface Exchange {
  readonly parameters: URLSearchParams
  readonly signal: AbortSignal
}

async function exchange(
  { transport, fetch }: Login,
  { provider, resourceMetadataUrl }: Begun,
  { parameters, signal }: Exchange,
): Promise<McpGrant> {
  const url = new URL(transport.url)
  const code = parameters.get('code')
  const iss = parameters.get('iss')
  if (code === null)
    throw new Failure('mcp_error', `it was refused (${describingLine(parameters.get('error') ?? 'no code', 128)})`)
  await auth(provider, {
    serverUrl: url,
    authorizationCode: code,
    fetchFn: oauthFetch({ url, fetch, signal }),
    ...(iss !== null && { iss }),
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
  })
  const { tokens, registration } = provider.outcome()
  return toGrant(url, tokens, registration)
}

/** Why nobody can sign in to a program, and to a server whose configuration forbids it. */
export function noSignInFailure({ name, oauth }: McpServer): Failure {
  const reason = oauth === false ? 'its configuration has "oauth": false' : 'it is a program of this machine'
  return new Failure('bad_request', `The MCP server "${name}" has no sign-in: ${reason}.`)
}

/** Messages of servers are bounded; none has a token or a code. */
function signInFailure({ name }: Login, error: unknown): Failure {
  if (error instanceof Failure && error.message.startsWith('The sign-in to')) return error
  const { message, data } = Failure.from(error, 'mcp_error')
  const reason = describingLine(message, 512).replace(/\.$/, '')
  return new Failure('mcp_error', `The sign-in to the MCP server "${name}" failed: ${reason}.`, { cause: error, data })
}
