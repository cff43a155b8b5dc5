// Finds a provider's keys: of the environment, else its account, else stored, else of models.json.
// The client's environment comes before that of the server's start.
//
// Guarantees: a key goes only to its own address.
import { mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { accountKeys } from './account-keys.ts'
import type { StoredKey } from '../../streams/ports/auth-storage.ts'
import { keyTail } from '../../streams/ports/auth-storage.ts'
import type { KeyOrigin } from '../../streams/commands/auth-commands.ts'
import { chooseEnvironment, describeSource, lookUpVariable } from './key-environment.ts'
import type { KeyEnvironments } from './key-environment.ts'
import type { KeyAddress, KeySources, ProviderKey } from './provider-key.ts'
import { credential, forgetCommand, knowsCommand } from './credential.ts'
import type { CredentialOptions } from './credential.ts'

/** The sources in order of precedence. */
const layers = [environmentKeys, accountKeys, storedKeys, modelsKeys] as const

/** Returns all keys for this address in order of use; those that requests use come first (`origin.used`). */
export function providerKeys(address: KeyAddress, sources: KeySources): readonly ProviderKey[] {
  const found = layers.map((layer) => layer(address, sources))
  const deciding = found.find((keys) => keys.some(({ origin }) => origin.used))
  return found.flatMap((keys) =>
    keys.map((key) => (key.origin.used && keys !== deciding ? asUnused(key, deciding?.[0]) : key)),
  )
}

/** Returns the keys that requests use. Each request calls it; if the environment has a key, it reads no file. */
export function usedKeys(address: KeyAddress, sources: KeySources): readonly ProviderKey[] {
  for (const layer of layers) {
    const used = layer(address, sources).filter(({ origin }) => origin.used)
    if (used.length > 0) return used
  }
  return []
}

function asUnused(key: ProviderKey, first: ProviderKey | undefined): ProviderKey {
  return {
    ...key,
    origin: { ...key.origin, used: false, unusedBecause: `${first?.label ?? 'another'} takes precedence` },
  }
}

function environmentKeys({ provider, preset }: KeyAddress, sources: KeySources): ProviderKey[] {
  const name = preset?.keyVariable
  const chosen = chooseEnvironment(preset, sources)
  const value = name === undefined ? '' : (chosen.env[name]?.trim() ?? '')
  if (name === undefined || value === '') return []
  const origin: KeyOrigin = {
    ...{ from: 'environment', kind: 'variable', name },
    ...(chosen.isOfStart ? { ofServer: true } : {}),
    ...keyTail(value),
    used: true,
  }
  const label = describeSource(name, chosen)
  return [keyFrom(`$${name}`, { provider, label, origin, sources: { ...sources, env: chosen.env } })]
}

function storedKeys({ provider, baseUrl }: KeyAddress, sources: KeySources): ProviderKey[] {
  const { authStorage } = sources
  if (authStorage === undefined) return []
  const here = baseUrl === undefined ? undefined : new URL(baseUrl).origin
  return authStorage.list(provider).map((stored) => {
    const origin = { ...originOf(stored), ...storedKeyUse(stored, here, sources) }
    const label = `the stored key ${stored.id}`
    return keyOf(authStorage.read(stored), `stored ${provider} ${stored.id}`, { provider, label, origin, sources })
  })
}

function originOf({ kept: store, kind, id, origin, variable, tail }: StoredKey): Omit<KeyOrigin, 'used'> {
  return {
    from: store,
    kind,
    keyId: id,
    origin,
    ...(variable === undefined ? {} : { name: variable }),
    ...(tail === undefined ? {} : { tail }),
  }
}

function storedKeyUse(
  { origin, variable }: StoredKey,
  here: string | undefined,
  sources: KeySources,
): Pick<KeyOrigin, 'used' | 'unusedBecause'> {
  if (origin !== here)
    return { used: false, unusedBecause: `it is for ${origin}, and the provider is at ${here ?? 'no known address'}` }
  return variable === undefined ? { used: true } : variableUse(variable, sources)
}

function variableUse(name: string, sources: KeyEnvironments): Pick<KeyOrigin, 'used' | 'unusedBecause'> {
  return lookUpVariable(name, sources) === '' ? { used: false, unusedBecause: `${name} is not set` } : { used: true }
}

function modelsKeys({ provider, entry, isFromEnvironment }: KeyAddress, sources: KeySources): ProviderKey[] {
  const { apiKey = [] } = entry ?? {}
  const specs = typeof apiKey === 'string' ? [apiKey] : apiKey
  return specs.map((spec, index) => {
    const label = specs.length === 1 ? 'the apiKey of models.json' : `apiKey ${index + 1} of models.json`
    const about = describeSpec(spec, sources)
    const elsewhere = { used: false, unusedBecause: 'the address comes from the environment' }
    const origin: KeyOrigin = { from: 'models', ...about, ...(isFromEnvironment ? elsewhere : {}) }
    return keyFrom(spec, { provider, label, origin, sources })
  })
}

function describeSpec(spec: string, sources: KeyEnvironments): Omit<KeyOrigin, 'from'> {
  if (spec.startsWith('!')) return { kind: 'command', used: true }
  if (!spec.startsWith('$')) return { kind: 'key', ...keyTail(spec), used: true }
  return { kind: 'variable', name: spec.slice(1), ...variableUse(spec.slice(1), sources) }
}

interface KeyParts extends Pick<ProviderKey, 'label' | 'origin'> {
  readonly provider: string
  readonly sources: KeySources
}

function keyFrom(spec: string, parts: KeyParts): ProviderKey {
  const { provider, origin, sources } = parts
  const value = spec.startsWith('$') ? lookUpVariable(spec.slice(1), sources) : ''
  return keyOf(of(spec), `${origin.from} ${provider} ${spec} ${value}`, parts)
}

function keyOf(spec$: Observable<string>, identity: string, parts: KeyParts): ProviderKey {
  const { provider, label, origin, sources } = parts
  const { memory, cwd: workspace } = sources
  let found: CredentialOptions | undefined
  let isFromMemory = false
  return {
    identity,
    label,
    origin,
    value$: spec$.pipe(
      mergeMap((spec) => {
        found = {
          spec,
          env: environmentOf(spec, sources),
          provider,
          memory,
          workspace,
          called: `The command of ${provider} in ${label}`,
        }
        isFromMemory = knowsCommand(found)
        return credential(found)
      }),
    ),
    isFromMemory: () => isFromMemory,
    forget: () => {
      if (found !== undefined) forgetCommand(found)
    },
  }
}

/** A command gets the client's environment alone. */
function environmentOf(spec: string, sources: KeyEnvironments): KeySources['env'] {
  if (!spec.startsWith('$')) return sources.env
  const name = spec.slice(1)
  return { [name]: lookUpVariable(name, sources) }
}
