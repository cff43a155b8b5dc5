// Options of an endpoint with Google's API, and their defaults.
import type { EndpointOptions } from '../adapter/sdk-response.ts'
import type { GoogleCompat } from '../../streams/models/api-compat.ts'

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

export type { GoogleCompat }

/** The compat of Gemini 2.5 and most endpoints. */
export const defaultGoogleCompat: GoogleCompat = {
  thinking: 'budget',
  budgets: { off: 0, minimal: 1024, low: 2048, medium: 8192, high: 16_384, xhigh: 24_576 },
  levels: { off: 'minimal', minimal: 'minimal', low: 'low', medium: 'medium', high: 'high', xhigh: 'high' },
  signedCalls: false,
  callIds: true,
  imagesInResults: false,
  streamArguments: false,
}
