// What happens between a request and its answer over chat completions.
import { defer } from 'rxjs'
import type { Provider } from '../streams/provider.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { keptClient } from './kept-client.ts'
import { openAiClient } from './openai-client.ts'
import type { OpenAiCompletionsOptions } from './openai-completions-options.ts'
import { defaultCompat } from './openai-completions-compat.ts'
import { openAiCompletionsReader } from './openai-completions-reader.ts'
import { openAiCompletionsRequest } from './openai-completions-request.ts'
import { sdkAnswer } from './sdk-answer.ts'

/** Makes one client for as long as the key stays the same. */
export function openAiCompletionsAnswer(options: OpenAiCompletionsOptions): Provider {
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
        makeReader: (context) => (emit) =>
          openAiCompletionsReader({ model: request.model, context, reasoningFields: compat.reasoningFields }, emit),
      })
    })
}
