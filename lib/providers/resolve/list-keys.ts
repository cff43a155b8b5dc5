// Which providers have a key, and where each of their keys comes from; no key is looked up for it.
import type { AuthStorage } from '../../streams/ports/auth-storage.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { endpointAddress, endpointNamed } from '../endpoints/endpoint.ts'
import type { EndpointSources } from '../endpoints/endpoint.ts'
import { presets } from '../endpoints/presets.ts'
import { providerKeys } from '../keys/provider-keys.ts'
import type { KeyAddress } from '../keys/provider-keys.ts'
import { sendableKey } from '../http/request-secrets.ts'

export type ListedKeys = ResultOf<'auth_list'>['providers']

/**
 * Of all providers with a key, presets first, or of one. @throws Failure `bad_config` where what is stored cannot be read,
 * `bad_request` for a provider that is not known and has no key stored
 */
export function listKeys(sources: EndpointSources, provider?: string): ListedKeys {
  const stored = sources.authStorage?.list() ?? []
  const known = new Set([
    ...Object.keys(presets),
    ...Object.keys(sources.models.providers),
    ...stored.map((key) => key.provider),
  ])
  if (provider !== undefined && !known.has(provider)) {
    throw new Failure('bad_request', `There is no provider "${provider}"; known are ${[...known].join(', ')}.`)
  }
  const listed = {
    ...sources,
    ...(sources.authStorage === undefined ? {} : { authStorage: readOnce(sources.authStorage) }),
  }
  const names = provider === undefined ? [...known] : [provider]
  return names.flatMap((name) => {
    const keys = providerKeys(addressOf(name, sources), listed).map(({ origin }) => ({ ...origin }))
    return keys.length === 0 ? [] : [{ provider: name, keys }]
  })
}

/** What it lists now, for all providers. */
function readOnce(authStorage: AuthStorage): AuthStorage {
  const all = authStorage.list()
  return {
    ...authStorage,
    list: (provider) => all.filter((key) => provider === undefined || key.provider === provider),
  }
}

/** A provider that is not described any more may still have keys. */
function addressOf(provider: string, sources: EndpointSources): KeyAddress {
  const nowhere = { provider, preset: undefined, entry: undefined, baseUrl: undefined, isFromEnvironment: false }
  return endpointAddress(provider, sources) ?? nowhere
}

// Where a key is to be sent is known before it is stored.

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
