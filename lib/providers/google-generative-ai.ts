// `:streamGenerateContent` as a Provider, of the Gemini API and of Vertex: the official SDK sends, our parser reads, unsubscribing closes the socket.
import type { Provider } from '../streams/provider.ts'
import type { GoogleCompat } from './google-compat.ts'
import { loadedProvider } from './loaded-provider.ts'
import type { EndpointOptions } from './sdk-answer.ts'

/** `baseUrl` goes up to and without `/models/…`; the version of the API may stand at its end. */
export interface GoogleOptions extends EndpointOptions {
  /**
   * Asks Vertex, of this project and location (default `global`). Without a key the credentials of `keyFile` (a service
   * account's or a user's) are taken, else those that the machine has. @default the Gemini API
   */
  readonly vertex?: { readonly project?: string; readonly location?: string; readonly keyFile?: string }
  /** @default defaultGoogleCompat */
  readonly compat?: Partial<GoogleCompat>
}

/**
 * A Provider for Google's models. All of it, the SDK too, is loaded with the first request; there are no retries and no time
 * limits in here. Redirects to another origin are refused. Every error is a Failure `provider_error` with its kind, and
 * status and retry-after where there are any; a key never stands in one.
 */
export function googleGenerativeAi(options: GoogleOptions): Provider {
  return loadedProvider(async () => (await import('./google-answer.ts')).googleAnswer(options))
}
