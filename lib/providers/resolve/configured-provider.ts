// Finds the first usable model of models.json, and checks whether a provider has the key it needs.
import { listenerOwners } from '../../host/process/listener-owners.ts'
import { endpointAddress, isLoopback } from '../endpoints/endpoint.ts'
import type { EndpointSources, Notice } from '../endpoints/endpoint.ts'
import { portOf } from '../endpoints/local-endpoint.ts'
import { knownPreset } from '../endpoints/presets.ts'
import { usedKeys } from '../keys/provider-keys.ts'

/** Owners of the programs at this machine's ports. */
export interface PortOwners {
  /** Returns the owners of a port's listeners. @default the kernel's table */
  readonly ownersOf?: (port: number) => readonly number[] | undefined
  /** @default the user of this process */
  readonly user?: number
}

export interface ConfiguredChoice {
  /** `provider/id`, if a provider that lists models is usable. */
  readonly model?: string
  /** Usable providers that are not chosen unasked. */
  readonly notices: readonly Notice[]
}

/**
 * Returns the first model that models.json lists under a usable provider, in the order of the file. An entry without
 * `models` only changes a preset, so it is skipped. A provider on this machine has to listen, and its listener has to
 * belong to this user or to a system account (docs/design/security.md#S12).
 */
export function findConfiguredModel(sources: EndpointSources & PortOwners): ConfiguredChoice {
  const notices: Notice[] = []
  for (const [provider, { models: [first] = [] }] of Object.entries(sources.models.providers)) {
    if (first === undefined || !isUsableProvider(provider, sources)) continue
    const model = `${provider}/${first.id}`
    const obstacle = localObstacle(provider, sources)
    if (obstacle === undefined) return { model, notices }
    if (obstacle !== '') notices.push(offerNotice({ provider, model, owner: obstacle }, sources))
  }
  return { notices }
}

function offerNotice(
  { provider, model, owner }: { readonly provider: string; readonly model: string; readonly owner: string },
  sources: EndpointSources,
): Notice {
  const at = endpointAddress(provider, sources)?.baseUrl ?? ''
  const message = `${provider} of models.json listens at ${at}, but ${owner}, so rxpi does not use it by itself: use --model ${model} for it.`
  return { code: 'model_offered', message }
}

/** Undefined: the provider may be used; '': nothing listens; else the reason against it. */
function localObstacle(provider: string, sources: EndpointSources & PortOwners): string | undefined {
  const { baseUrl, entry } = endpointAddress(provider, sources) ?? {}
  if (baseUrl === undefined || !isLoopback(baseUrl)) return undefined
  const reason = strangeOwner(portOf(baseUrl), sources)
  // a person wrote this address: a system without the kernel's table does not part them from their server
  return reason === unknownOwner && entry?.baseUrl === baseUrl ? undefined : reason
}

const unknownOwner = 'this system does not report its owner'

/**
 * Undefined: the listeners of the port belong to this user or to the system; '': nothing listens; else the reason
 * against them, as a clause.
 */
export function strangeOwner(
  port: number,
  { ownersOf = listenerOwners, user = process.getuid?.() }: PortOwners,
): string | undefined {
  const owners = ownersOf(port)
  if (owners === undefined) return unknownOwner
  if (owners.length === 0) return ''
  const others = owners.filter((owner) => owner !== user && !isSystem(owner))
  return others.length === 0 ? undefined : `user ${others.join(', ')} runs it`
}

/** Accounts below 1,000 belong to services; 65534 (`nobody`) may belong to any program. */
function isSystem(user: number): boolean {
  return user < 1_000
}

/** Whether the provider has a key or needs none. Reads no key; stored keys that cannot be read do not count. */
export function isUsableProvider(provider: string, options: EndpointSources): boolean {
  const preset = knownPreset(provider)
  if (provider === 'demo' || preset?.keyOptional === true) return true
  try {
    const address = endpointAddress(provider, options)
    if (address?.baseUrl === undefined) return false
    const isOpen = preset?.keyVariable === undefined && preset?.account?.required !== true
    const needsNone = isOpen || address.baseUrl !== preset.baseUrl
    const hasOther = Boolean(address.environment.env[preset?.insteadOfKey ?? '']?.trim())
    return hasOther || usedKeys(address, options).length > 0 || (needsNone && address.entry?.apiKey === undefined)
  } catch {
    return false // the error for its name explains it
  }
}
