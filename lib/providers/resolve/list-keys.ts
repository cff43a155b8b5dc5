// Lists the providers with a key and the source of each key, without reading a key.
import type { AuthStorage } from '../../streams/ports/auth-storage.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { endpointAddress, endpointNamed } from '../endpoints/endpoint.ts'
import type { EndpointSources } from '../endpoints/endpoint.ts'
import { presets } from '../endpoints/presets.ts'
import { providerKeys } from '../keys/provider-keys.ts'
import type { KeyAddress } from '../keys/provider-key.ts'
import { sendableKey } from '../http/request-secrets.ts'

/** Such a provider belongs to open sessions, which no command of keys knows. */
const ofExtensions = 'A provider of an extension takes its key from the variable that the extension names.'

export type ListedKeys = ResultOf<'auth_list'>['providers']

/**
 * Lists all providers with a key, presets first, or one provider.
 * @throws Failure `bad_config` if the stored keys cannot be read, `bad_request` for an unknown provider without a
 * stored key
 */
export function listKeys(sources: EndpointSources, provider?: string): ListedKeys {
  const stored = sources.authStorage?.list() ?? []
  const known = new Set([
    ...Object.keys(presets),
    ...Object.keys(sources.models.providers),
    ...stored.map((key) => key.provider),
  ])
  if (provider !== undefined && !known.has(provider)) {
    throw new Failure(
      'bad_request',
      `There is no provider "${provider}"; known are ${[...known].join(', ')}. ${ofExtensions}`,
    )
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

/** Lists the current keys of all providers. */
function readOnce(authStorage: AuthStorage): AuthStorage {
  const all = authStorage.list()
  return {
    ...authStorage,
    list: (provider) => all.filter((key) => provider === undefined || key.provider === provider),
  }
}

/** A provider that is no longer described may still have keys. */
function addressOf(provider: string, sources: EndpointSources): KeyAddress {
  const nowhere = { provider, preset: undefined, entry: undefined, baseUrl: undefined, isFromEnvironment: false }
  return endpointAddress(provider, sources) ?? nowhere
}

/**
 * Returns the origin to which a new key of the provider would be sent.
 * @throws Failure `bad_request` for an unknown provider, `bad_config` for one without an address, `provider_error` kind
 * `auth` for an invalid key
 */
export function keyOrigin(provider: string, key: string, sources: EndpointSources): string {
  const endpoint = endpointNamed(provider, { ...sources, startEnv: undefined }) // an address counts only with its own key
  if (endpoint === undefined) {
    const message = `There is no provider "${provider}": rxpi models lists the known ones; add others in models.json. ${ofExtensions}`
    throw new Failure('bad_request', message)
  }
  if (!/^[!$]/.test(key)) sendableKey(key)
  return new URL(endpoint.baseUrl).origin
}
