// Finds the secrets of the providers that extensions offer.
import type { ExtensionSet } from '../../extensions/lifecycle/set-contract.ts'
import { secretsOfProviders } from './provider-secrets.ts'
import type { ProviderSecrets } from './provider-secrets.ts'

/** The same list while no provider comes or goes. */
export type OfferedProviders = () => ExtensionSet['contributions']['endpoints']['entries']

const none: ReturnType<OfferedProviders> = []

/** Lists the endpoints that the extensions offer when it is called; none before they are set up. */
export function offeredBy(opened: { readonly extensions?: ExtensionSet | undefined }): OfferedProviders {
  return () => opened.extensions?.contributions.endpoints.entries ?? none
}

/** Secrets of providers that are not offered any more: an extension may offer a provider with a new key each hour. */
const mostEarlier = 1_000

/**
 * Lists the secrets of the providers that are offered, and the last 1,000 of those that were, because commands of a
 * person go on when an extension is unloaded. The list is the same while no provider comes or goes.
 */
export function offeredSecrets(
  offered: OfferedProviders,
  env: Readonly<Record<string, string>>,
): () => ProviderSecrets['values'] {
  let read = none
  let found: ProviderSecrets['values'] = []
  return () => {
    const entries = offered()
    if (entries === read) return found
    read = entries
    const providers = Object.fromEntries(entries.map(({ value: { name, entry } }) => [name, entry]))
    const { variables, values } = secretsOfProviders({ providers }, env)
    // commands keep the variables that a provider of an extension names, so their values are listed by themselves
    const now = [...variables.map((name) => [name, env[name] ?? ''] as const), ...values]
    const texts = new Set(now.map(([, text]) => text))
    found = [...found.filter(([, text]) => !texts.has(text)).slice(-mostEarlier), ...now]
    return found
  }
}
