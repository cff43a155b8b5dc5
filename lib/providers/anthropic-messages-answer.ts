// What happens between a request and its answer over the Messages API.
import { defer } from 'rxjs'
import type { Provider } from '../streams/provider.ts'
import { anthropicClient } from './anthropic-client.ts'
import { defaultMessagesCompat } from './anthropic-messages-compat.ts'
import type { AnthropicMessagesOptions } from './anthropic-messages-options.ts'
import { anthropicMessagesReader } from './anthropic-messages-reader.ts'
import { anthropicMessagesRequest } from './anthropic-messages-request.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { keptClient } from './kept-client.ts'
import { sdkAnswer } from './sdk-answer.ts'

/** Makes one client for as long as the key stays the same. */
export function anthropicMessagesAnswer(options: AnthropicMessagesOptions): Provider {
  const { baseUrl, headers = {} } = options
  const compat = { ...defaultMessagesCompat, ...options.compat }
  const fetch = guardedFetch(options.provider, options.fetch)
  const clientFor = keptClient((apiKey) => anthropicClient({ baseUrl, apiKey, headers, compat, fetch }))
  return (request) =>
    defer(() => {
      const body = anthropicMessagesRequest(request, compat)
      return sdkAnswer({
        ...options,
        send: async (key, signal) => {
          const client = await clientFor(key)
          // not `messages.create`: that writes warnings about models to the console
          return client.post('/v1/messages', { body, signal, stream: true }).asResponse()
        },
        makeReader: (context) => (emit) => anthropicMessagesReader({ model: request.model, context }, emit),
      })
    })
}
