// Which key a provider is asked with: the environment's, else those that people stored, else those of models.json; none goes to an address that it was not given for.
import { mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AuthStorage, StoredKey } from '../../streams/ports/auth-storage.ts'
import { keyTail } from '../../streams/ports/auth-storage.ts'
import type { KeyOrigin } from '../../streams/commands/auth-commands.ts'
import type { ModelsProvider } from '../../streams/config/settings.ts'
import { credential, forgetCommand, knowsCommand } from './credential.ts'
import type { CredentialOptions } from './credential.ts'
import type { KeyMemory } from './key-memory.ts'

/** Where keys are looked for, beside `models.json`. */
export interface KeySources {
  /** The client's environment. */
  readonly env: Readonly<Record<string, string>>
  /** @default nothing is stored */
  readonly authStorage?: AuthStorage
  readonly memory: KeyMemory
  /** Programs inside it are not found by a key's command. */
  readonly cwd: string
}

/** Who is asked, and where. */
export interface KeyAddress {
  readonly provider: string
  /** The environment variables that a preset names: looked at in this order. */
  readonly preset: { readonly keyVariable?: string; readonly otherKeyVariables?: readonly string[] } | undefined
  readonly entry: ModelsProvider | undefined
  /** Absent where nobody says where it is. */
  readonly baseUrl: string | undefined
  /** True where the environment says where: then models.json says nothing of its key. */
  readonly isFromEnvironment: boolean
}

/** One key, and where it comes from. */
export interface ProviderKey {
  /** Tells it from all others of this process; never shown. */
  readonly identity: string
  /** For people, as in `OPENAI_API_KEY`. */
  readonly label: string
  readonly origin: KeyOrigin
  /** Emits the key once and completes; fails with kind `auth`. */
  readonly value$: Observable<string>
  /** Of a command's key: whether `value$` gave what a run before it had given. */
  readonly isFromMemory: () => boolean
  /** A command runs again for the next request. */
  readonly forget: () => void
}

/** Whose keys count most stand first. */
const layersOf = [environmentKeys, storedKeys, modelsKeys] as const

/** All keys that there are for this place, those that requests use first (`origin.used`), in the order in which they are asked with. */
export function providerKeys(address: KeyAddress, sources: KeySources): readonly ProviderKey[] {
  const layers = layersOf.map((layer) => layer(address, sources))
  const deciding = layers.find((keys) => keys.some(({ origin }) => origin.used))
  return layers.flatMap((keys) =>
    keys.map((key) => (key.origin.used && keys !== deciding ? notUsed(key, deciding?.[0]) : key)),
  )
}

/** Those of them that requests use. It is asked with each: where the environment has one, nothing is read from the disk. */
export function usedKeys(address: KeyAddress, sources: KeySources): readonly ProviderKey[] {
  for (const layer of layersOf) {
    const used = layer(address, sources).filter(({ origin }) => origin.used)
    if (used.length > 0) return used
  }
  return []
}

function notUsed(key: ProviderKey, first: ProviderKey | undefined): ProviderKey {
  return {
    ...key,
    origin: { ...key.origin, used: false, unusedBecause: `${first?.label ?? 'another'} goes before it` },
  }
}

function environmentKeys({ provider, preset }: KeyAddress, sources: KeySources): ProviderKey[] {
  const name = preset?.keyVariable
  const value = name === undefined ? '' : (sources.env[name]?.trim() ?? '')
  if (name === undefined || value === '') return []
  const origin: KeyOrigin = { from: 'environment', kind: 'variable', name, ...keyTail(value), used: true }
  return [keyFrom(`$${name}`, { provider, label: name, origin, sources })]
}

function storedKeys({ provider, baseUrl }: KeyAddress, sources: KeySources): ProviderKey[] {
  const { authStorage } = sources
  if (authStorage === undefined) return []
  const here = baseUrl === undefined ? undefined : new URL(baseUrl).origin
  return authStorage.list(provider).map((stored) => {
    const origin = { ...originOf(stored), ...usable(stored, here, sources) }
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

function usable(
  { origin, variable }: StoredKey,
  here: string | undefined,
  { env }: KeySources,
): Pick<KeyOrigin, 'used' | 'unusedBecause'> {
  if (origin !== here)
    return { used: false, unusedBecause: `it is for ${origin}, and the provider is at ${here ?? 'no known address'}` }
  return variable === undefined ? { used: true } : ofVariable(variable, env)
}

function ofVariable(name: string, env: KeySources['env']): Pick<KeyOrigin, 'used' | 'unusedBecause'> {
  return env[name]?.trim() ? { used: true } : { used: false, unusedBecause: `${name} is not set` }
}

function modelsKeys({ provider, entry, isFromEnvironment }: KeyAddress, sources: KeySources): ProviderKey[] {
  const { apiKey = [] } = entry ?? {}
  const specs = typeof apiKey === 'string' ? [apiKey] : apiKey
  return specs.map((spec, index) => {
    const label = specs.length === 1 ? 'the apiKey of models.json' : `apiKey ${index + 1} of models.json`
    const about = aboutSpec(spec, sources.env)
    const elsewhere = { used: false, unusedBecause: 'the address comes from the environment' }
    const origin: KeyOrigin = { from: 'models', ...about, ...(isFromEnvironment ? elsewhere : {}) }
    return keyFrom(spec, { provider, label, origin, sources })
  })
}

function aboutSpec(spec: string, env: KeySources['env']): Omit<KeyOrigin, 'from'> {
  if (spec.startsWith('!')) return { kind: 'command', used: true }
  if (!spec.startsWith('$')) return { kind: 'key', ...keyTail(spec), used: true }
  return { kind: 'variable', name: spec.slice(1), ...ofVariable(spec.slice(1), env) }
}

interface KeyParts extends Pick<ProviderKey, 'label' | 'origin'> {
  readonly provider: string
  readonly sources: KeySources
}

function keyFrom(spec: string, parts: KeyParts): ProviderKey {
  const { provider, origin, sources } = parts
  const value = spec.startsWith('$') ? (sources.env[spec.slice(1)] ?? '') : ''
  return keyOf(of(spec), `${origin.from} ${provider} ${spec} ${value}`, parts)
}

function keyOf(spec$: Observable<string>, identity: string, parts: KeyParts): ProviderKey {
  const { provider, label, origin, sources } = parts
  const { env, memory, cwd: workspace } = sources
  let found: CredentialOptions | undefined
  let isFromMemory = false
  return {
    identity,
    label,
    origin,
    value$: spec$.pipe(
      mergeMap((spec) => {
        found = { spec, env, provider, memory, workspace, called: `The command of ${provider} in ${label}` }
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
