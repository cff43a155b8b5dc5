// Adapts an HTTP transport to `fetch`, the form in which vendor SDKs take a transport.
import type { Readable } from 'node:stream'
import type { Observable } from 'rxjs'
import { nodeTransport } from './http-transport.ts'
import type { HttpRequest, HttpResponse, HttpTransport } from './http-transport.ts'

/**
 * A Response of `toFetch`. SDKs pass it on as it is, so an adapter reads `bytes$` without a promise for each chunk.
 * Its body has one reader: `body` or `bytes$`.
 */
export interface TransportResponse extends Response {
  /** The body's decoded bytes; unsubscribing closes the connection. */
  readonly bytes$: Observable<Uint8Array>
}

export function isTransportResponse(response: Response): response is TransportResponse {
  return 'bytes$' in response
}

/**
 * A `fetch` over the transport for an http(s) address, a body of text or bytes, and `redirect: 'manual'`. It passes any
 * other request to the platform's `fetch`. Resolves with a `TransportResponse`.
 */
export function toFetch(send: HttpTransport): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const request = httpRequest(input, init)
    return request === undefined ? globalThis.fetch(input, init) : toResponse(await send(request))
  }
}

/** The `fetch` of this process: `nodeTransport` without coalesced reads. */
export const httpFetch = toFetch(nodeTransport())

/** @throws RangeError for an invalid status; the connection is closed then */
function toResponse({ status, statusText, headers, body, bytes$ }: HttpResponse): TransportResponse {
  try {
    return Object.assign(new Response(bodyStream(status, body), { status, statusText, headers }), { bytes$ })
  } catch (error) {
    body.destroy()
    throw error
  }
}

/** Undefined if the transport cannot send it. */
function httpRequest(
  input: string | URL | Request,
  { method = 'GET', headers, body, signal, redirect }: RequestInit,
): HttpRequest | undefined {
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

/**
 * The Node stream as a web stream. It takes nothing of the Node stream before it is read itself. Null for a status
 * without a body; the bytes of such a body are dropped. Cancelling closes the connection.
 */
function bodyStream(status: number, body: Readable): ReadableStream<Uint8Array> | null {
  if (status === 204 || status === 205 || status === 304) {
    body.resume()
    return null
  }
  let chunks: AsyncIterator<Uint8Array> | undefined
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        chunks ??= body[Symbol.asyncIterator]()
        const step = await chunks.next()
        if (step.done === true) controller.close()
        else controller.enqueue(step.value)
      },
      cancel: () => {
        body.destroy()
      },
    },
    { highWaterMark: 0 },
  )
}
