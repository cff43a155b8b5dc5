// Plays an MCP server and its authorization server as a `fetch`, with faults.
import { createHash } from 'node:crypto'
import type { McpServer } from '../../../lib/mcp/contract/mcp-server.ts'

const origins = { server: 'https://mcp.example.com', issuer: 'https://auth.example.com' } as const
export const serverUrl = `${origins.server}/mcp`

export function remoteServer(more: Partial<McpServer> = {}): McpServer {
  return {
    name: 'notes',
    origin: 'user',
    transport: { kind: 'http', url: serverUrl, headers: {} },
    perSession: false,
    startTimeoutMs: 30_000,
    callTimeoutMs: 120_000,
    sampling: false,
    ...more,
  }
}

export interface MockOptions {
  /** Of the MCP server, and of its authorization server. */
  readonly origins?: { readonly server: string; readonly issuer: string }
  /** Replaces fields of the documents and answers. */
  readonly resource?: object
  readonly metadata?: object
  readonly registration?: object
  readonly token?: object
  readonly challenge?: string
  /** Where the server describes itself; nowhere else then. */
  readonly describedAt?: string
  /** A scope that the server misses in every token. */
  readonly missing?: string
  /** Statuses of `/token`, in order; then 200. */
  readonly tokenStatus?: number[]
}

export interface Mock {
  readonly fetch: typeof globalThis.fetch
  /** Method and address of each request. */
  readonly log: string[]
  /** Bodies of `/token` and `/register`. */
  readonly bodies: Record<string, string>[]
  /** The answer of a person at the page: the parameters of the redirect. */
  approve(page: string): URLSearchParams
  /** Tokens that the server takes. */
  readonly valid: Set<string>
}

export function mockAuthorization(options: MockOptions = {}): Mock {
  const log: string[] = []
  const bodies: Record<string, string>[] = []
  const valid = new Set<string>()
  const codes = new Map<string, string>()
  const { server, issuer } = options.origins ?? origins
  const mcp = `${server}/mcp`
  let count = 0
  const answers: Record<string, (body: Record<string, string>) => [number, object]> = {
    [`GET ${options.describedAt ?? `${server}/.well-known/oauth-protected-resource/mcp`}`]: () => [
      200,
      { resource: mcp, authorization_servers: [issuer], scopes_supported: ['read'], ...options.resource },
    ],
    [`GET ${issuer}/.well-known/oauth-authorization-server`]: () => [
      200,
      {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        ...options.metadata,
      },
    ],
    [`POST ${issuer}/register`]: (body) => [201, { client_id: 'client-1', ...body, ...options.registration }],
    [`POST ${issuer}/token`]: (body) => {
      const status = options.tokenStatus?.shift() ?? 200
      const challenge = codes.get(body['code'] ?? '')
      const verifier = createHash('sha256')
        .update(body['code_verifier'] ?? '')
        .digest('base64url')
      if (status !== 200 || (body['grant_type'] === 'authorization_code' && challenge !== verifier)) {
        return [status === 200 ? 400 : status, { error: 'invalid_grant', error_description: 'no\u001b[2J' }]
      }
      count += 1
      valid.add(`access-${count}`)
      const granted = { access_token: `access-${count}`, refresh_token: `refresh-${count}`, token_type: 'Bearer' }
      return [200, { ...granted, expires_in: 3_600, ...options.token }]
    },
  }
  const respondToToken = (): Response => {
    if (options.missing === undefined) return Response.json({ jsonrpc: '2.0', id: 1, result: {} })
    const challenge = `Bearer error="insufficient_scope", scope="${options.missing}"`
    return new Response(null, { status: 403, headers: { 'www-authenticate': challenge } })
  }
  const respond = (key: string, init: RequestInit): Response => {
    const authorization = new Headers(init.headers).get('authorization')
    if (key === `POST ${mcp}`) {
      if (valid.has(authorization?.replace('Bearer ', '') ?? '')) return respondToToken()
      const challenge = options.challenge ?? 'Bearer scope="read"'
      return new Response(null, { status: 401, headers: { 'www-authenticate': challenge } })
    }
    const answer = answers[key]
    const text = typeof init.body === 'string' ? init.body : ''
    const body = (text.startsWith('{') ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))) as Record<
      string,
      string
    >
    if (answer === undefined) return new Response('nothing', { status: 404 })
    if (text !== '') bodies.push(body)
    const [status, content] = answer(body)
    return Response.json(content, { status })
  }
  return {
    log,
    bodies,
    valid,
    fetch: async (input, init = {}) => {
      const url = input instanceof Request ? input.url : String(input)
      const key = `${init.method ?? 'GET'} ${url}`
      log.push(key)
      await Promise.resolve()
      return respond(key, init)
    },
    approve: (page) => {
      const { searchParams } = new URL(page)
      const code = `code-${codes.size}`
      codes.set(code, searchParams.get('code_challenge') ?? '')
      return new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: issuer })
    },
  }
}
