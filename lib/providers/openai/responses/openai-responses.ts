// `POST /responses` as a Provider: the official SDK sends, our parser reads, unsubscribing closes the socket.
import type { Provider } from '../../../streams/ports/provider.ts'
import { loadedProvider } from '../../adapter/loaded-provider.ts'
import type { OpenAiResponsesOptions } from './openai-responses-options.ts'

export type { OpenAiResponsesOptions }

/**
 * A Provider for OpenAI's Responses API, at Azure too, and for endpoints that speak it. All of it, the SDK too, is loaded
 * with the first request; there are no retries and no time limits in here. Redirects to another origin are refused. Every
 * error is a Failure `provider_error` with its kind, and status and retry-after where there are any; a key never stands in one.
 */
export function openAiResponses(options: OpenAiResponsesOptions): Provider {
  return loadedProvider(async () => (await import('./openai-responses-answer.ts')).openAiResponsesAnswer(options))
}
