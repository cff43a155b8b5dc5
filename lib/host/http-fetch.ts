// Requests over node:http and node:https, on connections that are kept: half of the time that the platform's fetch takes, and no WebAssembly.
import type { ClientRequest, IncomingMessage } from 'node:http'
import { bodyStream } from './body-stream.ts'
import { decodedBody } from './decoded-body.ts'
import { directBodies } from './direct-bodies.ts'

/** Milliseconds that a connection which nobody uses is kept; less where the server says so. */
const keptMs = 30_000
/** Milliseconds in which a connection must be there. */
const connectMs = 10_000

interface PlainRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * A `fetch` for requests to providers: an address, a text or bytes as body, redirects not followed. Anything else it hands to
 * the platform's. Resolves with the head; `directBodies` has the body's streams. Asks for no compression, reads it nevertheless.
 * A kept connection that the server had closed meanwhile is replaced once. Rejects with the system's error (`code`), or the
 * signal's; no time limit but 10 s for a new connection. Proxies: as Node's own, where `NODE_USE_ENV_PROXY` is 1.
 */
export const httpFetch: typeof globalThis.fetch = async (input, init = {}) => {
  const request = plainRequest(input, init)
  if (request === undefined) return globalThis.fetch(input, init)
  const message = await headOf(request)
  try {
    return responseOf(message)
  } catch (error) {
    message.destroy() // a status that is none: nobody will read the body
    throw error
  }
}

function plainRequest(
  input: string | URL | Request,
  { method = 'GET', headers, body, signal, redirect }: RequestInit,
): PlainRequest | undefined {
  if (input instanceof Request || redirect !== 'manual') return undefined
  const url = new URL(input)
  const isPlain = (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === ''
  const isText = body === undefined || body === null || typeof body === 'string' || body instanceof Uint8Array
  if (!isPlain || !isText) return undefined
  return {
    url,
    method,
    headers: { accept: '*/*', ...Object.fromEntries(headers instanceof Headers ? headers : new Headers(headers)) },
    body: body ?? undefined,
    signal: signal ?? undefined,
  }
}

/** @param isAgain on a connection of its own */
function headOf(request: PlainRequest, isAgain = false): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = send(request, isAgain)
    let isAnswered = false // then an error is the body's, which says so itself: the same asked again would be paid twice
    sent.once('response', (message) => {
      isAnswered = true
      resolve(message)
    })
    sent.on('error', (error) => {
      if (isAnswered) return
      if (sent.reusedSocket && !isAgain && wasCut(error)) headOf(request, true).then(resolve, reject)
      else reject(error)
    })
    limitConnecting(sent, request.url)
    sent.end(request.body)
  })
}

function send({ url, method, headers, signal }: PlainRequest, isAgain: boolean): ClientRequest {
  // 0: the agent's limit is for connections that nobody uses; on one that is, it would be set anew with each piece
  const options = { method, headers, timeout: 0, ...(signal === undefined ? {} : { signal }) }
  if (url.protocol === 'https:') {
    const { request } = process.getBuiltinModule('node:https') // loaded with the first request
    return request(url, { ...options, agent: isAgain ? agents.secureOnce() : agents.secure() })
  }
  const { request } = process.getBuiltinModule('node:http')
  return request(url, { ...options, agent: isAgain ? agents.plainOnce() : agents.plain() })
}

const agents = {
  plain: once(() => new (process.getBuiltinModule('node:http').Agent)(agentOptions())),
  secure: once(() => new (process.getBuiltinModule('node:https').Agent)(agentOptions())),
  /** Each request on a connection of its own, by the same proxy. */
  plainOnce: once(() => new (process.getBuiltinModule('node:http').Agent)({ ...agentOptions(), keepAlive: false })),
  secureOnce: once(() => new (process.getBuiltinModule('node:https').Agent)({ ...agentOptions(), keepAlive: false })),
}

function agentOptions() {
  const usesProxy = process.env['NODE_USE_ENV_PROXY'] === '1'
  return { keepAlive: true, timeout: keptMs, ...(usesProxy ? { proxyEnv: process.env } : {}) }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

function wasCut(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

function limitConnecting(sent: ClientRequest, { protocol }: URL): void {
  sent.once('socket', (socket) => {
    if (!socket.connecting) return
    const late = setTimeout(() => {
      sent.destroy(Object.assign(new Error('the connection timed out'), { code: 'ETIMEDOUT' }))
    }, connectMs)
    const settle = (): void => {
      clearTimeout(late)
    }
    // who takes a connection and then says nothing of TLS is not there either
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', settle).once('close', settle)
  })
}

function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = message
  const headers = new Headers()
  for (let index = 1; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index - 1] ?? '', rawHeaders[index] ?? '')
  }
  const body = decodedBody(message)
  const response = new Response(bodyStream(status, body), { status, statusText, headers })
  directBodies.set(response, { message, body })
  return response
}
