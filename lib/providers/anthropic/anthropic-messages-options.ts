// What an endpoint that speaks the Messages API is told by.
import type { AnthropicMessagesCompat } from './anthropic-messages-compat.ts'
import type { EndpointOptions } from '../adapter/sdk-response.ts'

/** `baseUrl` goes up to and without `/v1/messages`. */
export interface AnthropicMessagesOptions extends EndpointOptions {
  /** @default defaultMessagesCompat */
  readonly compat?: Partial<AnthropicMessagesCompat>
}
