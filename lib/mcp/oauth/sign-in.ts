// Signs in to an MCP server by the browser's answer, or by one that a person pastes.
// Guarantees: an answer counts once, with the state of this sign-in and from its issuer.
import { randomBytes } from 'node:crypto'
import { auth, extractWWWAuthenticateParams } from '@modelcontextprotocol/client'
import { browserSignIn } from '../../host/http/browser-sign-in.ts'
import type { BrowserSignIn } from '../../host/http/browser-sign-in.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { McpOAuth, McpRemote, McpServer } from '../contract/mcp-server.ts'
import { describingLine } from '../content/foreign-text.ts'
import { loginProvider } from './login-provider.ts'
import type { LoginProvider } from './login-provider.ts'
import { isAllowedFor, oauthFetch } from './oauth-fetch.ts'
import { toGrant } from './server-grant.ts'
import type { McpGrant } from './server-grant.ts'

/** One sign-in, in the form of those to accounts of models. */
export type McpSignIn = BrowserSignIn<McpGrant>

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
  const login = { name, transport, oauth, state, ...options }
  return browserSignIn({
    state,
    port: oauth.callbackPort ?? 0,
    path: callbackPath,
    begin: (port, signal) => begin(login, `http://127.0.0.1:${port}${callbackPath}`, signal),
    exchange: (begun, parameters, signal) => exchange(login, begun, { parameters, signal }),
    success: `rxpi may use ${name}.`,
    toFailure: (error) => signInFailure(login, error),
  })
}

interface Login extends SignInOptions {
  readonly name: string
  readonly transport: McpRemote
  readonly oauth: McpOAuth
  readonly state: string
}

interface Begun {
  readonly url: string
  /** It remembers what the server has said of itself. */
  readonly provider: LoginProvider
}

async function begin(login: Login, redirectUrl: string, signal: AbortSignal): Promise<Begun> {
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
  return { url: page.href, provider }
}

/** @param scopes each a list of scopes, separated by spaces */
function joinScopes(scopes: readonly (string | undefined)[]): string {
  return [...new Set(scopes.flatMap((scope) => scope?.split(' ') ?? []))].filter((scope) => scope !== '').join(' ')
}

/** Reads the answer to a request without a token. */
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

interface Exchange {
  readonly parameters: URLSearchParams
  readonly signal: AbortSignal
}

async function exchange(
  { transport, fetch }: Login,
  { provider }: Begun,
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
  })
  const { tokens, registration } = provider.outcome()
  return toGrant(url, tokens, registration)
}

/** For a program, and for a server whose configuration forbids a sign-in. */
export function noSignInFailure({ name, oauth }: McpServer): Failure {
  const reason = oauth === false ? 'its configuration has "oauth": false' : 'it is a program of this machine'
  return new Failure('bad_request', `The MCP server "${name}" has no sign-in: ${reason}.`)
}

/** Messages of servers are bounded; none has a token or a code. */
function signInFailure({ name }: Login, error: unknown): Failure {
  const { message, data } = Failure.from(error, 'mcp_error')
  const reason = describingLine(message, 512).replace(/\.$/, '')
  return new Failure('mcp_error', `The sign-in to the MCP server "${name}" failed: ${reason}.`, { cause: error, data })
}
