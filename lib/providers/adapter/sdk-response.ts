// Sends a request that a vendor's SDK builds, and emits the deltas of its response.
import { concatMap, defer, of, tap, Observable, timer } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import type { ProviderRequest } from '../../streams/ports/provider.ts'
import { sendForBytes } from '../http/event-stream-bytes.ts'
import { guardedFetch } from '../http/guarded-fetch.ts'
import type { Fetch } from '../http/guarded-fetch.ts'
import type { ResponseContext } from '../http/provider-failure.ts'
import { urlSecrets, headerSecrets } from '../http/request-secrets.ts'
import { sse } from '../http/sse.ts'
import type { OperatorFunction, Subscription } from 'rxjs'
import { createFrameReader } from './frame-reader.ts'
import type { EventDecoder } from './frame-reader.ts'
import { thrownFailure } from '../http/provider-failure.ts'
import type { SseEvent } from '../http/sse.ts'

/** The endpoint options that every adapter takes. */
export interface EndpointOptions {
  /** The display name of the endpoint; every error message starts with it. */
  readonly provider: string
  readonly baseUrl: string
  /** Emits the key once for each request. @default no key is sent */
  readonly apiKey$?: Observable<string | undefined>
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sends the key as `Authorization: Bearer` too, if the API sends it in another header. @default false */
  readonly authHeader?: boolean
  /** Sends the key as `Authorization: Bearer` alone, whatever the API's own header. @default false */
  readonly onlyBearer?: boolean
  /** Returns headers for one request. @default none */
  readonly requestHeaders?: (request: ProviderRequest) => Readonly<Record<string, string>>
  /** @default globalThis.fetch */
  readonly fetch?: Fetch
}

export interface SdkResponseOptions extends Pick<EndpointOptions, 'provider' | 'baseUrl' | 'apiKey$' | 'headers'> {
  /** Sends the request and emits the bytes of its event stream; unsubscribing aborts it. */
  readonly bytes: (key: string | undefined) => Observable<Uint8Array>
  /** Parses the bytes to events. @default server-sent events */
  readonly frames?: (context: ResponseContext) => OperatorFunction<Uint8Array, SseEvent>
  /** Called when the request is subscribed to. */
  readonly makeDecoder: (context: ResponseContext) => MakeDecoder
}

/** Emits the deltas of one response; cold. Every error is a Failure `provider_error` that contains no key. */
export function sdkResponse(options: SdkResponseOptions): Observable<AssistantDelta> {
  const { provider, baseUrl, apiKey$ = of(undefined), headers = {}, bytes, frames = () => sse(), makeDecoder } = options
  return defer(() => {
    const secrets = [...headerSecrets(Object.entries(headers)), ...urlSecrets(new URL(baseUrl))]
    const context = { provider, secrets }
    return apiKey$.pipe(
      tap((key) => secrets.push(...(key === undefined || key === '' ? [] : [key]))),
      concatMap(bytes),
      frames(context),
      decodeEvents(makeDecoder(context), context),
    )
  })
}

/** Sends one request, and resolves with the response whose body is unread. */
export type SendBody<Body> = (body: Body, signal: AbortSignal, headers?: RequestHeaders) => Promise<Response>

/** The headers of one request, beside those of every request. */
export type RequestHeaders = Readonly<Record<string, string>> | undefined

export interface SdkRequestOptions<Body> {
  readonly provider: string
  readonly fetch: Fetch | undefined
  /** Makes the SDK's client for this key, and a function that sends its requests with `fetch`. */
  readonly makeSend: (key: string | undefined, fetch: Fetch) => Promise<SendBody<Body>>
}

/**
 * Returns a function that sends a body with a key, and emits the bytes of the response's event stream, with the
 * failures of `guardedFetch`. One client serves as long as the key stays the same.
 */
export function sdkRequest<Body>({
  provider,
  fetch,
  makeSend,
}: SdkRequestOptions<Body>): (key: string | undefined, body: Body, headers?: RequestHeaders) => Observable<Uint8Array> {
  const guarded = guardedFetch(provider, fetch)
  const sendFor = clientPerKey((key) => makeSend(key, guarded))
  return (key, body, headers) => sendForBytes(provider, async (signal) => (await sendFor(key))(body, signal, headers))
}

/** The method of OpenAI's and Anthropic's clients that adds address, authentication, versions and default headers. */
export interface RequestBuilder {
  buildRequest(options: {
    readonly method: 'post'
    readonly path: string
    readonly body: object
    readonly stream: true
    readonly headers?: Readonly<Record<string, string>>
  }): Promise<{ readonly url: string; readonly req: RequestInit }>
}

/**
 * Lets the SDK's client build each request, and sends it with `fetch`. The SDK's own `post` takes twice the time, for
 * retries, timers and logs that rxpi does not use (docs/decisions/0205).
 */
export function sendBuilt(client: RequestBuilder, path: string, fetch: Fetch): SendBody<object> {
  return async (body, signal, headers) => {
    const own = headers === undefined ? {} : { headers }
    const { url, req } = await client.buildRequest({ method: 'post', path, body, stream: true, ...own })
    return fetch(url, { ...req, method: 'POST', signal })
  }
}

/** Calls `make` if the key differs from the last one, and after a rejection; otherwise returns the same client. */
export function clientPerKey<Client>(
  make: (key: string | undefined) => Promise<Client>,
): (key: string | undefined) => Promise<Client> {
  let current: { readonly key: string | undefined; readonly client: Promise<Client> } | undefined
  return (key) => {
    if (current === undefined || current.key !== key) {
      const made = { key, client: make(key) }
      current = made
      made.client.catch(() => {
        if (current === made) current = undefined
      })
    }
    return current.client
  }
}

// Decodes the server-sent events of a response to deltas with an API's decoder.
//
// Guarantees: after the terminal event only usage counts, and a frame of no known form ends nothing
// (docs/design/security.md#S28).

/** Creates the decoder of one response. It may call `emit` within `read` and `end` only. */
export type MakeDecoder = (emit: (delta: AssistantDelta) => void) => EventDecoder

/**
 * Decodes each event synchronously. Completes after `done`; the body has ended by then, or is cancelled. Fails with a
 * Failure `provider_error`, after the usage if it is known: `early_end` if the body ends before the response is
 * complete, `network` for a broken frame of the API, and the provider's own error for an error frame. Skips frames that
 * are not the API's; a warning with their number comes before the end.
 */
export function decodeEvents(
  makeDecoder: MakeDecoder,
  context: ResponseContext,
): OperatorFunction<SseEvent, AssistantDelta> {
  return (event$) =>
    new Observable((subscriber) => {
      const emit = (delta: AssistantDelta): void => {
        subscriber.next(delta)
      }
      const decoder = makeDecoder(emit)
      const frames = createFrameReader(decoder, context)
      let lingering: { ms: number; timer: Subscription } | undefined

      const fail = (error: unknown): void => {
        frames.reportForeign(emit)
        decoder.emitUsage()
        subscriber.error(thrownFailure(error, context))
      }
      const end = (): void => {
        try {
          frames.end(emit)
        } catch (error) {
          fail(error)
          return
        }
        subscriber.complete()
      }
      const limitLinger = (ms: number | undefined): void => {
        if (subscriber.closed || ms === undefined || ms === lingering?.ms) return
        lingering?.timer.unsubscribe()
        lingering = { ms, timer: timer(ms).subscribe(end) }
      }

      subscriber.add(() => lingering?.timer.unsubscribe())
      return event$.subscribe({
        next: (event) => {
          try {
            frames.read(event)
          } catch (error) {
            fail(error)
            return
          }
          limitLinger(decoder.lingerMs)
        },
        error: (error: unknown) => {
          if (decoder.lingerMs === undefined) fail(error)
          else end()
        },
        complete: end,
      })
    })
}
