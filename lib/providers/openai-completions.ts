// `POST /chat/completions` as a Provider: the official SDK sends, our parser reads, unsubscribing closes the socket.
import { concatMap, defer, of, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import { fromAbortable } from '../streams/from-abortable.ts'
import type { Provider } from '../streams/provider.ts'
import { eventStreamBytes } from './event-stream-bytes.ts'
import { guardedFetch } from './guarded-fetch.ts'
import type { Fetch } from './guarded-fetch.ts'
import { openAiClient } from './openai-client.ts'
import { defaultCompat } from './openai-completions-compat.ts'
import type { OpenAiCompletionsCompat } from './openai-completions-compat.ts'
import { openAiCompletionsDeltas } from './openai-completions-deltas.ts'
import { openAiCompletionsRequest } from './openai-completions-request.ts'
import { sentSecrets } from './sent-secrets.ts'
import { sse } from './sse.ts'

export interface OpenAiCompletionsOptions {
  /** What people call the endpoint; it stands in front of every error. */
  readonly provider: string
  /** Up to and without `/chat/completions`. */
  readonly baseUrl: string
  /** Emits the key once per request. @default none is sent */
  readonly apiKey$?: Observable<string | undefined>
  readonly organization?: string
  readonly project?: string
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** @default defaultCompat */
  readonly compat?: Partial<OpenAiCompletionsCompat>
  /** @default globalThis.fetch */
  readonly fetch?: Fetch
}

/**
 * A Provider for an endpoint that speaks OpenAI's chat completions. The SDK is loaded with the first request; there are no
 * retries and no time limits in here. Redirects to another origin are refused. Every error is a Failure `provider_error`
 * with its kind, and status and retry-after where there are any; a key never stands in one.
 */
export function openAiCompletions(options: OpenAiCompletionsOptions): Provider {
  const { provider, apiKey$ = of(undefined) } = options
  const compat = { ...defaultCompat, ...options.compat }
  const clientFor = keptClient(options)
  return (request) =>
    defer(() => {
      const body = openAiCompletionsRequest(request, compat)
      const secrets = sentSecrets(Object.entries(options.headers ?? {}))
      return apiKey$.pipe(
        tap((key) => secrets.push(...(key === undefined || key === '' ? [] : [key]))),
        concatMap((key) => fromAbortable((signal) => answerBytes(clientFor(key), body, { provider, signal }))),
        sse(),
        openAiCompletionsDeltas(request.model, { provider, secrets }),
      )
    })
}

type Client = ReturnType<typeof openAiClient>
type Body = ReturnType<typeof openAiCompletionsRequest>

/** One client for as long as the key stays the same. */
function keptClient(options: OpenAiCompletionsOptions): (key: string | undefined) => Client {
  let kept: { readonly key: string | undefined; readonly client: Client } | undefined
  return (key) => {
    if (kept?.key !== key || kept === undefined) {
      const client = openAiClient({
        baseUrl: options.baseUrl,
        apiKey: key,
        organization: options.organization,
        project: options.project,
        headers: options.headers ?? {},
        fetch: guardedFetch(options.provider, options.fetch),
      })
      kept = { key, client }
    }
    return kept.client
  }
}

async function* answerBytes(
  client: Client,
  body: Body,
  { provider, signal }: { readonly provider: string; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const { chat } = await client
  const response = await chat.completions.create(body, { signal }).asResponse()
  yield* eventStreamBytes(provider, response)
}
