// What an endpoint that speaks Google's API is told by.
import type { GoogleCompat } from './google-compat.ts'
import type { EndpointOptions } from '../adapter/sdk-response.ts'

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
