// Sends the requests of a sign-in: discovery, registration, tokens.
// Guarantees: no redirect is followed, answers are bounded, and an error of a token endpoint is quoted without its body.
import { httpFetch } from '../../host/http/http-fetch.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'
import { describingLine } from '../content/foreign-text.ts'

/** Bytes of one answer. */
const maxBytes = 1_048_576
const timeoutMs = 30_000

type Fetch = typeof globalThis.fetch

export interface OAuthFetchOptions {
  /** The MCP server's address. */
  readonly url: URL
  readonly fetch?: Fetch | undefined
  readonly signal: AbortSignal
}

/**
 * A `fetch` for the SDK's OAuth. It rejects with a Failure `mcp_error` for an address that is neither https nor as local as the server
 * itself, and for an error of a token endpoint (`data.kind` is `auth` if the grant is refused).
 */
export function oauthFetch({ url: server, fetch = httpFetch, signal }: OAuthFetchOptions): Fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (!isAllowedFor(url, server)) {
      throw new Failure(
        'mcp_error',
        `The sign-in wants a request to ${url.origin}, which is not allowed: it is not https, or it is this machine.`,
      )
    }
    const body = init.body instanceof URLSearchParams ? init.body.toString() : (init.body ?? null)
    const limits = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const response = await fetch(url, { ...init, body, redirect: 'manual', signal: limits })
    const text = await readBounded(response)
    if (!response.ok && isTokenRequest(body)) throw refusedFailure(url, response.status, text)
    const { status, statusText, headers } = response
    return new Response(hasBody(status) ? text : null, { status, statusText, headers })
  }
}

/** A server elsewhere must not send rxpi, or a person, to programs of this machine. */
export function isAllowedFor(url: URL, server: URL): boolean {
  if (isLoopback(url)) return isLoopback(server) && (url.protocol === 'https:' || url.protocol === 'http:')
  return url.protocol === 'https:'
}

function isLoopback({ hostname }: URL): boolean {
  return (
    hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || hostname.startsWith('127.')
  )
}

async function readBounded({ body }: Response): Promise<string> {
  if (body === null) return ''
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    bytes += piece.length
    if (bytes > maxBytes) throw new Failure('mcp_error', `An answer of the sign-in has more than ${maxBytes} bytes.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function isTokenRequest(body: unknown): boolean {
  return typeof body === 'string' && /(?:^|&)grant_type=/.test(body)
}

function hasBody(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304
}

function refusedFailure(url: URL, status: number, text: string): Failure {
  const { error, error_description: description } = parseError(text)
  const code = typeof error === 'string' ? describingLine(error, 128) : `HTTP ${status}`
  const words = typeof description === 'string' ? `: ${describingLine(description, 512)}` : ''
  const isRefused =
    (status === 400 || status === 401) &&
    (code === 'invalid_grant' || code === 'invalid_client' || code === 'unauthorized_client')
  return new Failure('mcp_error', `${url.host} gave no token (${code}${words})`, {
    data: isRefused ? { kind: 'auth' } : {},
  })
}

function parseError(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {} // not the protocol's form; the status says enough
  }
}
