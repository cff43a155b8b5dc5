// Sends a request to the Gemini API or Vertex with Google's SDK and emits the deltas of its response.
import { defer } from 'rxjs'
import type { Provider } from '../../streams/ports/provider.ts'
import { googleClient } from './google-client.ts'
import { defaultGoogleCompat } from './google-options.ts'
import type { GoogleOptions } from './google-options.ts'
import { googleReader } from './google-decoder.ts'
import { googleRequest } from './google-request.ts'
import type { GoogleParameters } from './google-parameters.ts'
import { sdkRequest, sdkResponse } from '../adapter/sdk-response.ts'

/** One client of the SDK serves as long as the key stays the same. */
export function googleAnswer(options: GoogleOptions): Provider {
  const { provider, baseUrl, headers = {}, vertex } = options
  const compat = { ...defaultGoogleCompat, ...options.compat }
  const sent$ = sdkRequest({
    provider,
    fetch: options.fetch,
    makeClient: (apiKey, fetch) =>
      googleClient({ provider, baseUrl, apiKey, headers, fetch, ...(vertex === undefined ? {} : { vertex }) }),
    send: (client, parameters: GoogleParameters, signal) => client(parameters, signal),
  })
  return (request) =>
    defer(() => {
      const parameters = googleRequest(request, compat)
      return sdkResponse({
        ...options,
        bytes: (key) => sent$(key, parameters),
        makeReader: (context) => (emit) => googleReader({ model: request.model, context }, emit),
      })
    })
}
