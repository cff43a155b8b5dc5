// Options of an endpoint with the API `anthropic-messages`, and their defaults.
import type { EndpointOptions } from '../adapter/sdk-response.ts'
import type { AnthropicMessagesCompat } from '../../streams/models/api-compat.ts'

/** `baseUrl` goes up to and without `/v1/messages`. */
export interface AnthropicMessagesOptions extends EndpointOptions {
  /** @default defaultMessagesCompat */
  readonly compat?: Partial<AnthropicMessagesCompat>
}

export type { AnthropicMessagesCompat }

/** The compat of older models and most endpoints. */
export const defaultMessagesCompat: AnthropicMessagesCompat = {
  dialect: 'compatible',
  thinking: 'budget',
  withoutThinking: 'omit',
  budgets: { minimal: 1024, low: 2048, medium: 8192, high: 16_384, xhigh: 32_768 },
  effort: { minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'xhigh' },
  temperature: true,
  boundThinking: false,
  cacheBreakpoints: true,
  maxTokens: 32_000,
}
