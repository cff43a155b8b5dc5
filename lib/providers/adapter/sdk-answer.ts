// One request as a vendor's SDK makes it: the key is asked for first, the body is read by our parser, unsubscribing closes the socket.
import { concatMap, defer, of, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { answerDeltas } from './answer-deltas.ts'
import type { MakeReader } from './answer-deltas.ts'
import type { Fetch } from '../http/guarded-fetch.ts'
import type { AnswerContext } from '../http/provider-failure.ts'
import { secretsOfAddress, sentSecrets } from '../http/sent-secrets.ts'
import { sse } from '../http/sse.ts'

/** What every adapter is told of its endpoint. */
export interface EndpointOptions {
  /** What people call the endpoint; it stands in front of every error. */
  readonly provider: string
  readonly baseUrl: string
  /** Emits the key once per request. @default none is sent */
  readonly apiKey$?: Observable<string | undefined>
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** @default globalThis.fetch */
  readonly fetch?: Fetch
}

export interface SdkAnswerOptions extends Pick<EndpointOptions, 'provider' | 'baseUrl' | 'apiKey$' | 'headers'> {
  /** Sends the request and emits the bytes of its event stream; unsubscribing gives it up. */
  readonly bytes: (key: string | undefined) => Observable<Uint8Array>
  /** Called once the request is subscribed to. */
  readonly makeReader: (context: AnswerContext) => MakeReader
}

/** The deltas of one answer; cold. Every error is a Failure `provider_error`, and no key stands in one. */
export function sdkAnswer(options: SdkAnswerOptions): Observable<AssistantDelta> {
  const { provider, baseUrl, apiKey$ = of(undefined), headers = {}, bytes, makeReader } = options
  return defer(() => {
    const secrets = [...sentSecrets(Object.entries(headers)), ...secretsOfAddress(new URL(baseUrl))]
    const context = { provider, secrets }
    return apiKey$.pipe(
      tap((key) => secrets.push(...(key === undefined || key === '' ? [] : [key]))),
      concatMap(bytes),
      sse(),
      answerDeltas(makeReader(context), context),
    )
  })
}
