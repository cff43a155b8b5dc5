// An endpoint on this machine that says what it serves; whether it may be used unasked depends on whose it is.
import type { ModelsFile } from '../streams/settings.ts'
import type { Asking } from './ask-endpoint.ts'
import type { Fetch } from './guarded-fetch.ts'
import { presets } from './presets.ts'
import { presetNamed } from './preset-named.ts'
import type { ServedKind } from './served-kind.ts'

export interface LocalEndpoint extends Asking {
  readonly kind: ServedKind
  readonly port: number
}

export interface LocalSources {
  readonly env: Readonly<Record<string, string>>
  readonly models: ModelsFile
  /** @default globalThis.fetch */
  readonly fetch?: Fetch
}

/** Those that have a usual port, at that port or where models.json says they are, on this machine alone; in the order of the presets. */
export function localEndpoints(sources: LocalSources): readonly LocalEndpoint[] {
  const names = Object.keys(presets).filter((name) => presets[name]?.detected === true)
  return names.flatMap((name) => {
    const endpoint = localEndpoint(name, sources)
    return endpoint === undefined || !isLoopback(endpoint.baseUrl) ? [] : [endpoint]
  })
}

/** The endpoint of that name, wherever it is; undefined for a provider whose endpoint does not say what it serves. */
export function localEndpoint(name: string, { env, models, fetch }: LocalSources): LocalEndpoint | undefined {
  const preset = presetNamed(name, env)
  const { baseUrl = preset?.baseUrl, headers } = Object.hasOwn(models.providers, name)
    ? (models.providers[name] ?? {})
    : {}
  if (preset?.serves === undefined || baseUrl === undefined) return undefined
  return {
    provider: name,
    kind: preset.serves,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    port: portOf(baseUrl),
    ...(headers === undefined ? {} : { headers }),
    ...(fetch === undefined ? {} : { fetch }),
  }
}

/** The endpoint of that name on this machine, to be asked what it serves: also one that models.json alone knows. */
export function listingEndpoint(name: string, sources: LocalSources): readonly LocalEndpoint[] {
  const known = localEndpoint(name, sources)
  const entry = Object.hasOwn(sources.models.providers, name) ? sources.models.providers[name] : undefined
  const { baseUrl, api = 'openai-completions', headers } = entry ?? {}
  if (known !== undefined) return isLoopback(known.baseUrl) ? [known] : []
  if (baseUrl === undefined || !isLoopback(baseUrl) || !api.startsWith('openai-')) return []
  const { fetch } = sources
  return [
    {
      provider: name,
      kind: 'openai',
      baseUrl: baseUrl.replace(/\/+$/, ''),
      port: portOf(baseUrl),
      ...(headers === undefined ? {} : { headers }),
      ...(fetch === undefined ? {} : { fetch }),
    },
  ]
}

function portOf(baseUrl: string): number {
  return Number(new URL(baseUrl).port || (baseUrl.startsWith('https:') ? 443 : 80))
}

/** True for an address that only this machine answers at. */
export function isLoopback(baseUrl: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(baseUrl).hostname)
}
