// Finds the secrets of the providers that extensions offer.
import type { ExtensionSet } from '../../extensions/lifecycle/set-contract.ts'
import type { ModelsFile } from '../../streams/config/settings.ts'
import { literalKeys, secretsInAddresses, secretsInHeaders } from './provider-secrets.ts'
import type { HeaderSecrets } from './provider-secrets.ts'

/** The same list while no provider comes or goes. */
export type OfferedProviders = () => ExtensionSet['contributions']['endpoints']['entries']

/** Lists the endpoints that the extensions offer when it is called; none before they are set up. */
export function offeredBy(opened: { readonly extensions?: ExtensionSet | undefined }): OfferedProviders {
  return () => opened.extensions?.contributions.endpoints.entries ?? []
}

/**
 * Lists the secrets of all providers that were offered so far, because commands of a person go on when an extension is
 * unloaded. The list is the same while none is added.
 */
export function offeredSecrets(
  offered: OfferedProviders,
  env: Readonly<Record<string, string>>,
): () => HeaderSecrets['values'] {
  let read: ReturnType<OfferedProviders> = []
  let found: HeaderSecrets['values'] = []
  return () => {
    const entries = offered()
    if (entries === read) return found
    read = entries
    const providers = Object.fromEntries(entries.map(({ value: { name, entry } }) => [name, entry]))
    const known = new Set(found.map(([, value]) => value))
    const added = secretsOf({ providers }, env).filter(([, value]) => !known.has(value))
    if (added.length > 0) found = [...found, ...added]
    return found
  }
}

/** Commands keep the variables that a provider of an extension names, so their values are listed by themselves. */
function secretsOf(models: ModelsFile, env: Readonly<Record<string, string>>): HeaderSecrets['values'] {
  const headers = secretsInHeaders(models, env)
  const ofKeys = Object.values(models.providers)
    .flatMap(({ apiKey = [] }) => apiKey)
    .flatMap((spec) => (spec.startsWith('$') ? [spec.slice(1)] : []))
  const ofVariables = [...ofKeys, ...headers.variables].map((name) => [name, env[name] ?? ''] as const)
  return [...literalKeys(models), ...ofVariables, ...headers.values, ...secretsInAddresses(models)]
}
