// `:streamGenerateContent` as a Provider, of the Gemini API and of Vertex: the official SDK sends, our parser reads, unsubscribing closes the socket.
import type { Provider } from '../../streams/ports/provider.ts'
import type { GoogleOptions } from './google-options.ts'
import { loadedProvider } from '../adapter/loaded-provider.ts'

export type { GoogleOptions }

/**
 * A Provider for Google's models. All of it, the SDK too, is loaded with the first request; there are no retries and no time
 * limits in here. Redirects to another origin are refused. Every error is a Failure `provider_error` with its kind, and
 * status and retry-after where there are any; a key never stands in one.
 */
export function googleGenerativeAi(options: GoogleOptions): Provider {
  return loadedProvider(async () => (await import('./google-answer.ts')).googleAnswer(options))
}
