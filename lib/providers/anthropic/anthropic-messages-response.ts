// Sends a request to `POST /v1/messages` with Anthropic's SDK and emits the deltas of its response.
import { defer } from 'rxjs'
import type { Provider } from '../../streams/ports/provider.ts'
import { anthropicClient } from './anthropic-client.ts'
import { defaultMessagesCompat } from './anthropic-messages-options.ts'
import type { AnthropicMessagesOptions } from './anthropic-messages-options.ts'
import { anthropicMessagesReader } from './anthropic-messages-decoder.ts'
import { anthropicMessagesRequest } from './anthropic-messages-request.ts'
import { sdkRequest, sdkResponse } from '../adapter/sdk-response.ts'

/** One client of the SDK serves as long as the key stays the same. */
export function anthropicMessagesAnswer(options: AnthropicMessagesOptions): Provider {
  const { baseUrl, headers = {} } = options
  const compat = { ...defaultMessagesCompat, ...options.compat }
  const sent$ = sdkRequest({
    provider: options.provider,
    fetch: options.fetch,
    makeClient: (apiKey, fetch) => anthropicClient({ baseUrl, apiKey, headers, compat, fetch }),
    // `messages.create` would write warnings about models to the console
    send: (client, body, signal) => client.post('/v1/messages', { body, signal, stream: true }).asResponse(),
  })
  return (request) =>
    defer(() => {
      const body = anthropicMessagesRequest(request, compat)
      return sdkResponse({
        ...options,
        bytes: (key) => sent$(key, body),
        makeReader: (context) => (emit) => anthropicMessagesReader({ model: request.model, context }, emit),
      })
    })
}
