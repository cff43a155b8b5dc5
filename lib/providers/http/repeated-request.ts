// A vendor's SDK makes a client's first request; those behind it repeat its address and headers, with a body of their own.
import { Observable, concatMap } from 'rxjs'
import type { IncomingMessage } from 'node:http'
import { decodedBody } from '../../host/http/decoded-body.ts'
import { gatheredBody } from '../../host/http/gathered-body.ts'
import { httpFetch, plainRequest, responseOf } from '../../host/http/http-fetch.ts'
import { sendRequest } from '../../host/http/http-request.ts'
import type { RequestHead } from '../../host/http/http-request.ts'
import { isEventStream, mediaType } from './event-stream-bytes.ts'
import { guardedFetch } from './guarded-fetch.ts'
import type { Fetch } from './guarded-fetch.ts'
import { keptClient } from './kept-client.ts'
import { sentBytes } from './sent-bytes.ts'

export interface RepeatedRequestOptions<Client, Body extends object> {
  readonly provider: string
  /** Only requests over `httpFetch` are repeated; with any other one each goes through the SDK. */
  readonly fetch: Fetch | undefined
  /** Its requests have the same address and headers, whatever their body. */
  readonly makeClient: (key: string | undefined, fetch: Fetch) => Promise<Client>
  readonly send: (client: Client, body: Body, signal: AbortSignal) => Promise<Response>
  /** The body's JSON, in pieces, where it can be had for less than by `JSON.stringify`, which is the default. */
  readonly toJson?: (body: Body) => readonly Uint8Array[]
}

/**
 * Sends a body with a key, and emits the bytes of the answer's event stream as `eventStreamBytes` does, with the failures of
 * `guardedFetch`. One client is made for as long as the key stays the same. What the SDK does for each request — merging
 * headers, promises, signals, a `Response` — takes as long as all else between a prompt and its request.
 */
export function repeatedRequest<Client, Body extends object>({
  provider,
  fetch,
  makeClient,
  send,
  toJson = (body) => [Buffer.from(JSON.stringify(body))],
}: RepeatedRequestOptions<Client, Body>): (key: string | undefined, body: Body) => Observable<Uint8Array> {
  const guarded = guardedFetch(provider, fetch)
  let kept: { readonly key: string | undefined; readonly head: RequestHead } | undefined
  const clientFor = keptClient((key) =>
    makeClient(key, (input, init) => {
      const head = fetch === httpFetch ? plainRequest(input, { ...init, redirect: 'manual' }) : undefined
      kept = head === undefined ? undefined : { key, head: headAlone(head) }
      return guarded(input, init)
    }),
  )
  return (key, body) =>
    kept === undefined || kept.key !== key
      ? sentBytes(provider, async (signal) => send(await clientFor(key), body, signal))
      : repeated(provider, kept.head, toJson(body))
}

/** Without the first request's body, which would be held for as long as the client. */
function headAlone({ url, method, headers }: RequestHead): RequestHead {
  return { url, method, headers }
}

function repeated(provider: string, head: RequestHead, body: readonly Uint8Array[]): Observable<Uint8Array> {
  return answer(head, body).pipe(
    concatMap((message) =>
      isStream(message)
        ? gatheredBody({ message, body: decodedBody(message) })
        : sentBytes(provider, (signal) => refused(provider, message, { head, body, signal })),
    ),
  )
}

/** Emits the head; unsubscribing before it closes the connection. */
function answer(head: RequestHead, body: readonly Uint8Array[]): Observable<IncomingMessage> {
  return new Observable((subscriber) => {
    let isAnswered = false // then the connection is its reader's
    const sent = sendRequest(head, body, {
      answered: (message) => {
        isAnswered = true
        subscriber.next(message)
        subscriber.complete()
      },
      failed: (error) => {
        subscriber.error(error)
      },
    })
    return () => {
      if (!isAnswered) sent.giveUp()
    }
  })
}

function isStream({ statusCode = 0, headers }: IncomingMessage): boolean {
  return (
    statusCode >= 200 && statusCode < 300 && statusCode !== 204 && isEventStream(mediaType(headers['content-type']))
  )
}

interface Asked {
  readonly head: RequestHead
  readonly body: readonly Uint8Array[]
  readonly signal: AbortSignal
}

/** An error, a redirect or a whole document goes the way that the SDK's answers go. */
function refused(provider: string, message: IncomingMessage, { head, body, signal }: Asked): Promise<Response> {
  let first: IncomingMessage | undefined = message
  const guarded = guardedFetch(provider, async (input, init) => {
    const given = first
    first = undefined
    return given === undefined ? httpFetch(input, init) : responseOf(given)
  })
  return guarded(head.url, { method: head.method, headers: { ...head.headers }, body: Buffer.concat(body), signal })
}
