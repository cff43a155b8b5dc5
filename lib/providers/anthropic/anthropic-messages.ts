// `POST /v1/messages` as a Provider: the official SDK sends, our parser reads, unsubscribing closes the socket.
import type { Provider } from '../../streams/ports/provider.ts'
import type { AnthropicMessagesOptions } from './anthropic-messages-options.ts'
import { loadedProvider } from '../adapter/loaded-provider.ts'

export type { AnthropicMessagesOptions }

/**
 * A Provider for Anthropic's Messages API and for endpoints that speak it. All of it, the SDK too, is loaded with the first
 * request; there are no retries and no time limits in here. Redirects to another origin are refused. Every error is a
 * Failure `provider_error` with its kind, and status and retry-after where there are any; a key never stands in one.
 */
export function anthropicMessages(options: AnthropicMessagesOptions): Provider {
  return loadedProvider(async () => (await import('./anthropic-messages-answer.ts')).anthropicMessagesAnswer(options))
}
