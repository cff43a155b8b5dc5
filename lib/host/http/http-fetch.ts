// Requests over node:http and node:https, on connections that are kept: half of the time that the platform's fetch takes, and no WebAssembly.
import type { IncomingMessage } from 'node:http'
import { decodedBody } from './decoded-body.ts'
import { directBodies } from './direct-bodies.ts'
import { sendRequest } from './http-request.ts'
import type { RequestHead } from './http-request.ts'
import type { Readable } from 'node:stream'

interface PlainRequest extends RequestHead {
  readonly body: string | Uint8Array | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * A `fetch` for requests to providers: an address, a text or bytes as body, redirects not followed. Anything else it hands to
 * the platform's. Resolves with the head; `directBodies` has the body's streams. Asks for no compression, reads it nevertheless.
 * Connections and limits are those of `sendRequest`. Rejects with the system's error (`code`), or the signal's.
 */
export const httpFetch: typeof globalThis.fetch = async (input, init = {}) => {
  const request = plainRequest(input, init)
  return request === undefined ? globalThis.fetch(input, init) : responseOf(await headOf(request))
}

/** The answer as `fetch` gives it. @throws RangeError for a status that is none */
export function responseOf(message: IncomingMessage): Response {
  try {
    return asResponse(message)
  } catch (error) {
    message.destroy() // nobody will read the body
    throw error
  }
}

/** What `httpFetch` sends for its arguments; nothing where it hands them on. */
export function plainRequest(
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

function headOf(request: PlainRequest): Promise<IncomingMessage> {
  const { body, signal } = request
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    let forget = (): void => undefined
    const sent = sendRequest(request, body, {
      answered: (message) => {
        message.once('close', () => {
          forget() // until then an abort ends the body
        })
        resolve(message)
      },
      failed: (error) => {
        forget()
        reject(error)
      },
    })
    if (signal === undefined) return
    const leave = (): void => {
      const reason = reasonOf(signal)
      sent.giveUp(reason)
      reject(reason)
    }
    forget = () => {
      signal.removeEventListener('abort', leave)
    }
    signal.addEventListener('abort', leave, { once: true })
  })
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('the request was aborted', { cause: reason })
}

function asResponse(message: IncomingMessage): Response {
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

// A Node stream as the web's, which takes nothing of it before it is read itself: who prefers the first may have it.

/** Nothing where a status allows none; then what is there is passed over. Cancelling it closes the connection. */
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
