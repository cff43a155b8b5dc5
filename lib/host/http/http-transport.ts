// Defines the HTTP transport port and implements it over node:http and node:https.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Observable } from 'rxjs'
import { createAgents, sendRequest } from './http-request.ts'
import type { HttpAgents, ProxyEnvironment, RequestHead } from './http-request.ts'
import { decodedBody, plainBody } from './raw-body.ts'
import type { ReadBody } from './raw-body.ts'

export interface HttpRequest extends RequestHead {
  readonly body: string | Uint8Array | undefined
  /** An abort closes the connection, also while the response is read. */
  readonly signal: AbortSignal | undefined
}

/** The head of a response. Its body has one reader: `body` or `bytes$`. */
export interface HttpResponse {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  /** Decoded; destroying it closes the connection. */
  readonly body: Readable
  /** The same bytes; unsubscribing closes the connection. */
  readonly bytes$: Observable<Uint8Array>
}

/**
 * Sends one request; redirects are not followed. Resolves with the head of the response. Rejects with the system's
 * error (`code`), or with the signal's reason.
 */
export type HttpTransport = (request: HttpRequest) => Promise<HttpResponse>

export interface NodeTransportOptions {
  /** Reads the bytes of each body. @default `plainBody` */
  readonly readBody?: ReadBody
  /**
   * Names the proxies, as Node's variables do. @default process.env, with connections that all such transports share
   */
  readonly proxyEnv?: ProxyEnvironment
}

/**
 * The transport of this process: `sendRequest` has its connections and limits. It asks for no compression, and decodes
 * compressed bodies. A request takes half of the time of the platform's `fetch` (docs/decisions/0077).
 */
export function nodeTransport({ readBody = plainBody, proxyEnv }: NodeTransportOptions = {}): HttpTransport {
  const agents = proxyEnv === undefined ? undefined : createAgents(proxyEnv)
  return async (request) => responseOf(await receiveHead(request, agents), readBody)
}

function receiveHead(request: HttpRequest, agents: HttpAgents | undefined): Promise<IncomingMessage> {
  const { body, signal } = request
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    let removeListener = (): void => undefined
    const sent = sendRequest(request, body, {
      ...(agents === undefined ? {} : { agents }),
      onResponse: (message) => {
        message.once('close', () => {
          removeListener() // until then an abort closes the connection
        })
        resolve(message)
      },
      onError: (error) => {
        removeListener()
        reject(error)
      },
    })
    if (signal === undefined) return
    const onAbort = (): void => {
      const reason = reasonOf(signal)
      sent.abort(reason)
      reject(reason)
    }
    removeListener = () => {
      signal.removeEventListener('abort', onAbort)
    }
    signal.addEventListener('abort', onAbort, { once: true })
  })
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('the request was aborted', { cause: reason })
}

function responseOf(message: IncomingMessage, readBody: ReadBody): HttpResponse {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = message
  const headers = new Headers()
  for (let index = 1; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index - 1] ?? '', rawHeaders[index] ?? '')
  }
  const body = decodedBody(message)
  return { status, statusText, headers, body, bytes$: readBody({ message, body }) }
}
