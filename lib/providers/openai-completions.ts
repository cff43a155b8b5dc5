// `POST /chat/completions` as a Provider: the official SDK sends, our parser reads, unsubscribing closes the socket.
import { defer } from 'rxjs'
import type { Provider } from '../streams/provider.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { keptClient } from './kept-client.ts'
import { openAiClient } from './openai-client.ts'
import { defaultCompat } from './openai-completions-compat.ts'
import type { OpenAiCompletionsCompat } from './openai-completions-compat.ts'
import { openAiCompletionsReader } from './openai-completions-reader.ts'
import { openAiCompletionsRequest } from './openai-completions-request.ts'
import { sdkAnswer } from './sdk-answer.ts'
import type { EndpointOptions } from './sdk-answer.ts'

/** `baseUrl` goes up to and without `/chat/completions`. */
export interface OpenAiCompletionsOptions extends EndpointOptions {
  readonly organization?: string
  readonly project?: string
  /** @default defaultCompat */
  readonly compat?: Partial<OpenAiCompletionsCompat>
}

/**
 * A Provider for an endpoint that speaks OpenAI's chat completions. The SDK is loaded with the first request; there are no
 * retries and no time limits in here. Redirects to another origin are refused. Every error is a Failure `provider_error`
 * with its kind, and status and retry-after where there are any; a key never stands in one.
 */
export function openAiCompletions(options: OpenAiCompletionsOptions): Provider {
  const { baseUrl, organization, project, headers = {} } = options
  const compat = { ...defaultCompat, ...options.compat }
  const fetch = guardedFetch(options.provider, options.fetch)
  const clientFor = keptClient((apiKey) => openAiClient({ baseUrl, apiKey, organization, project, headers, fetch }))
  return (request) =>
    defer(() => {
      const body = openAiCompletionsRequest(request, compat)
      return sdkAnswer({
        ...options,
        send: async (key, signal) => {
          const { chat } = await clientFor(key)
          return chat.completions.create(body, { signal }).asResponse()
        },
        makeReader: (context) => (emit) => openAiCompletionsReader({ model: request.model, context }, emit),
      })
    })
}
