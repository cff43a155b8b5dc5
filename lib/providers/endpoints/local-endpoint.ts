// Finds model servers on this machine, and the API that lists their models.
import type { ModelsFile } from '../../streams/config/settings.ts'
import type { JsonEndpoint } from '../http/fetch-json.ts'
import { endpointAddress, isLoopback } from './endpoint.ts'
import { expandHeaders } from './expand-headers.ts'
import type { Fetch } from '../http/guarded-fetch.ts'
import { presets } from './presets.ts'
import type { KeyAddress } from '../keys/provider-key.ts'
import type { KeyEnvironments } from '../keys/key-environment.ts'
import type { RemoteKind } from './preset.ts'

export interface LocalEndpoint extends JsonEndpoint {
  readonly kind: RemoteKind
  readonly port: number
}

export interface LocalSources extends KeyEnvironments {
  readonly models: ModelsFile
  /** @default `httpFetch` */
  readonly fetch?: Fetch
}

/**
 * Returns the presets with a default port, at that port or at their address in models.json, on this machine only; in
 * the order of the presets.
 */
export function localEndpoints(sources: LocalSources): readonly LocalEndpoint[] {
  const names = Object.keys(presets).filter((name) => presets[name]?.detected === true)
  return names.flatMap((name) => {
    const endpoint = localEndpoint(name, sources)
    return endpoint === undefined || !isLoopback(endpoint.baseUrl) ? [] : [endpoint]
  })
}

/**
 * Returns the endpoint of that name, on any machine; undefined if its provider lists no models.
 * @throws Failure `bad_config` if its address is invalid
 */
export function localEndpoint(name: string, sources: LocalSources): LocalEndpoint | undefined {
  const address = endpointAddress(name, sources)
  return address?.preset?.serves === undefined ? undefined : endpointAt(address, address.preset.serves, sources)
}

/** Returns the endpoint of that name on this machine, also if only models.json has it. */
export function listingEndpoint(name: string, sources: LocalSources): readonly LocalEndpoint[] {
  const address = endpointAddress(name, sources)
  if (address === undefined) return []
  const { preset, entry, isFromEnvironment } = address
  const isListed = entry?.baseUrl !== undefined && !isFromEnvironment && (entry.api ?? 'openai-').startsWith('openai-')
  const kind = preset?.serves ?? (isListed ? 'openai' : undefined)
  const endpoint = kind === undefined ? undefined : endpointAt(address, kind, sources)
  return endpoint === undefined || !isLoopback(endpoint.baseUrl) ? [] : [endpoint]
}

/** The headers of models.json go only to the address in models.json. */
function endpointAt(
  address: KeyAddress,
  kind: RemoteKind,
  { fetch, ...environments }: LocalSources,
): LocalEndpoint | undefined {
  const { provider, baseUrl, entry, isFromEnvironment } = address
  if (baseUrl === undefined) return undefined
  const headers = isFromEnvironment ? undefined : knownHeaders(entry?.headers, provider, environments)
  return {
    provider,
    kind,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    port: portOf(baseUrl),
    ...(headers === undefined ? {} : { headers }),
    ...(fetch === undefined ? {} : { fetch }),
  }
}

/**
 * Undefined if a header needs a variable that is not set: the request omits it, and the endpoint's error explains it.
 */
function knownHeaders(
  headers: Readonly<Record<string, string>> | undefined,
  provider: string,
  environments: KeyEnvironments,
): Readonly<Record<string, string>> | undefined {
  try {
    return headers && expandHeaders(headers, provider, environments)
  } catch {
    return undefined // see above
  }
}

/** The port of an address, also if it is the usual one of its protocol. */
export function portOf(baseUrl: string): number {
  return Number(new URL(baseUrl).port || (baseUrl.startsWith('https:') ? 443 : 80))
}
