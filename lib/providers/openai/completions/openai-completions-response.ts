// Sends a request built by OpenAI's SDK to `POST /chat/completions`, and emits the response's deltas.
import { defer } from 'rxjs'
import type { Provider } from '../../../streams/ports/provider.ts'
import { openAiClient } from '../openai-client.ts'
import type { OpenAiCompletionsOptions } from './openai-completions-options.ts'
import { defaultCompat } from './openai-completions-options.ts'
import { openAiCompletionsDecoder } from './openai-completions-decoder.ts'
import { openAiCompletionsRequest } from './openai-completions-request.ts'
import { sdkRequest, sdkResponse, sendBuilt } from '../../adapter/sdk-response.ts'

/** One client of the SDK serves as long as the key stays the same. */
export function openAiCompletionsResponse(options: OpenAiCompletionsOptions): Provider {
  const { baseUrl, organization, project, headers = {} } = options
  const compat = { ...defaultCompat, ...options.compat }
  const sent$ = sdkRequest({
    provider: options.provider,
    fetch: options.fetch,
    makeSend: async (apiKey, fetch) => {
      const client = await openAiClient({ baseUrl, apiKey, organization, project, headers })
      return sendBuilt(client, '/chat/completions', fetch)
    },
  })
  return (request) =>
    defer(() => {
      const body = openAiCompletionsRequest(request, compat)
      return sdkResponse({
        ...options,
        bytes: (key) => sent$(key, body, options.requestHeaders?.(request)),
        makeDecoder: (context) => (emit) => {
          const { reasoningFields, reasoningDetails } = compat
          return openAiCompletionsDecoder({ model: request.model, context, reasoningFields, reasoningDetails }, emit)
        },
      })
    })
}
