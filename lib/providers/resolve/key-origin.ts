// Where a key is to be sent is known before it is stored.
import { Failure } from '../../streams/values/failure.ts'
import { endpointNamed } from '../endpoints/endpoint.ts'
import type { EndpointSources } from '../endpoints/endpoint.ts'
import { sendableKey } from '../http/sendable-key.ts'

/**
 * The origin of the provider's address, for a key that could be sent to it.
 * @throws Failure `bad_request` for a provider that is not known, `bad_config` for one without an address, `provider_error`
 *   kind `auth` for what cannot be a key
 */
export function keyOrigin(provider: string, key: string, sources: EndpointSources): string {
  const endpoint = endpointNamed(provider, sources)
  if (endpoint === undefined) {
    const message = `There is no provider "${provider}": rxpi models names those there are, models.json describes others.`
    throw new Failure('bad_request', message)
  }
  if (!/^[!$]/.test(key)) sendableKey(key)
  return new URL(endpoint.baseUrl).origin
}
