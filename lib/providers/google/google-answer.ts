// What happens between a request and its answer over Google's API.
import { defer } from 'rxjs'
import type { Provider } from '../../streams/ports/provider.ts'
import { googleClient } from './google-client.ts'
import { defaultGoogleCompat } from './google-compat.ts'
import type { GoogleOptions } from './google-options.ts'
import { googleReader } from './google-reader.ts'
import { googleRequest } from './google-request.ts'
import { guardedFetch } from '../http/guarded-fetch.ts'
import { keptClient } from '../http/kept-client.ts'
import { sdkAnswer } from '../adapter/sdk-answer.ts'
import { sentBytes } from '../http/sent-bytes.ts'

/** Makes one client for as long as the key stays the same. */
export function googleAnswer(options: GoogleOptions): Provider {
  const { provider, baseUrl, headers = {}, vertex } = options
  const compat = { ...defaultGoogleCompat, ...options.compat }
  const fetch = guardedFetch(provider, options.fetch)
  const clientFor = keptClient((apiKey) =>
    googleClient({ provider, baseUrl, apiKey, headers, fetch, ...(vertex === undefined ? {} : { vertex }) }),
  )
  return (request) =>
    defer(() => {
      const parameters = googleRequest(request, compat)
      return sdkAnswer({
        ...options,
        bytes: (key) => sentBytes(provider, async (signal) => (await clientFor(key))(parameters, signal)),
        makeReader: (context) => (emit) => googleReader({ model: request.model, context }, emit),
      })
    })
}
