// Sends a request through a vendor's SDK and emits the deltas of its response.
import { concatMap, defer, of, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { decodeEvents } from './event-decoder.ts'
import type { MakeDecoder } from './event-decoder.ts'
import { sendForBytes } from '../http/event-stream-bytes.ts'
import { guardedFetch } from '../http/guarded-fetch.ts'
import type { Fetch } from '../http/guarded-fetch.ts'
import type { ResponseContext } from '../http/provider-failure.ts'
import { urlSecrets, headerSecrets } from '../http/request-secrets.ts'
import { sse } from '../http/sse.ts'

/** The endpoint options that every adapter takes. */
export interface EndpointOptions {
  /** The display name of the endpoint; every error message starts with it. */
  readonly provider: string
  readonly baseUrl: string
  /** Emits the key once for each request. @default no key is sent */
  readonly apiKey$?: Observable<string | undefined>
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** @default globalThis.fetch */
  readonly fetch?: Fetch
}

export interface SdkResponseOptions extends Pick<EndpointOptions, 'provider' | 'baseUrl' | 'apiKey$' | 'headers'> {
  /** Sends the request and emits the bytes of its event stream; unsubscribing aborts it. */
  readonly bytes: (key: string | undefined) => Observable<Uint8Array>
  /** Called when the request is subscribed to. */
  readonly makeDecoder: (context: ResponseContext) => MakeDecoder
}

/** Emits the deltas of one response; cold. Every error is a Failure `provider_error` that contains no key. */
export function sdkResponse(options: SdkResponseOptions): Observable<AssistantDelta> {
  const { provider, baseUrl, apiKey$ = of(undefined), headers = {}, bytes, makeDecoder } = options
  return defer(() => {
    const secrets = [...headerSecrets(Object.entries(headers)), ...urlSecrets(new URL(baseUrl))]
    const context = { provider, secrets }
    return apiKey$.pipe(
      tap((key) => secrets.push(...(key === undefined || key === '' ? [] : [key]))),
      concatMap(bytes),
      sse(),
      decodeEvents(makeDecoder(context), context),
    )
  })
}

export interface SdkRequestOptions<Client, Body> {
  readonly provider: string
  readonly fetch: Fetch | undefined
  /** Makes the SDK's client, which sends its requests with `fetch`. */
  readonly makeClient: (key: string | undefined, fetch: Fetch) => Promise<Client>
  /** Sends one request with the SDK, and resolves with the response whose body is unread. */
  readonly send: (client: Client, body: Body, signal: AbortSignal) => Promise<Response>
}

/**
 * Returns a function that sends a body with a key, and emits the bytes of the response's event stream, with the failures of
 * `guardedFetch`. One client serves as long as the key stays the same.
 */
export function sdkRequest<Client, Body>({
  provider,
  fetch,
  makeClient,
  send,
}: SdkRequestOptions<Client, Body>): (key: string | undefined, body: Body) => Observable<Uint8Array> {
  const guarded = guardedFetch(provider, fetch)
  const clientFor = clientPerKey((key) => makeClient(key, guarded))
  return (key, body) => sendForBytes(provider, async (signal) => send(await clientFor(key), body, signal))
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
