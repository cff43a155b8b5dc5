// An endpoint and an id become a descriptor, made of what is known and nothing that is guessed, and the Provider bound to both.
import type { Model } from '../streams/model.ts'
import type { GetApiKey } from '../streams/get-api-key.ts'
import type { ProviderModel } from '../streams/provider.ts'
import { mergedCompat } from './api-compat.ts'
import { catalogueEntry } from './catalogue.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import type { Endpoint } from './endpoint.ts'
import type { Fetch } from './guarded-fetch.ts'
import type { KeyMemory } from './key-memory.ts'
import { keyedProvider } from './keyed-provider.ts'
import type { Preset } from './presets.ts'
import { wires } from './wires.ts'
import type { WireOptions } from './wires.ts'

export interface ProviderModelOptions {
  readonly env: Readonly<Record<string, string>>
  readonly fetch?: Fetch
  readonly memory: KeyMemory
  /** Asked for the key of each request, before all others. */
  readonly getApiKey?: GetApiKey
}

/** What models.json says counts more than the catalogue. A preset's manners go with its own address only. */
export function providerModel(id: string, endpoint: Endpoint, options: ProviderModelOptions): ProviderModel {
  const { env, fetch, memory, getApiKey } = options
  const { provider, preset, baseUrl, keys, headers } = endpoint
  const known = catalogueEntry(`${preset?.catalogue ?? provider}/${id}`)
  const everywhere = mergedCompat(preset?.compatEverywhere, endpoint.isPreset ? preset?.compat : undefined)
  return {
    model: descriptor(id, endpoint, known),
    provider: keyedProvider({
      provider,
      keys,
      memory,
      ...(getApiKey === undefined ? {} : { getApiKey }),
      answerWith: (apiKey$) =>
        wires[endpoint.api]({
          provider,
          baseUrl,
          headers,
          apiKey$,
          compat: mergedCompat(everywhere, known?.compat),
          ...surroundings(preset ?? {}, env),
          ...(fetch === undefined ? {} : { fetch }),
        }),
    }),
  }
}

/** What the preset's variables say beside key and address. */
function surroundings(preset: Partial<Preset>, env: Readonly<Record<string, string>>): Partial<WireOptions> {
  const told = (variable: string | undefined): string | undefined => env[variable ?? '']?.trim() || undefined
  const organization = told(preset.organizationVariable)
  const project = told(preset.projectVariable)
  const apiVersion = told(preset.apiVersionVariable)
  const vertex = Object.entries({
    project: told(preset.vertexProjectVariable),
    location: told(preset.vertexLocationVariable),
    keyFile: told(preset.vertexKeyFileVariable),
  }).filter(([, value]) => value !== undefined)
  return {
    ...(organization ? { organization } : {}),
    ...(project ? { project } : {}),
    ...(apiVersion ? { apiVersion } : {}),
    ...(vertex.length > 0 ? { vertex: Object.fromEntries(vertex) } : {}),
  }
}

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

function descriptor(id: string, endpoint: Endpoint, known: CatalogueEntry | undefined): Model {
  const { provider, preset, models, baseUrl } = endpoint
  const listed = models.find((model) => model.id === id)
  const { origin, pathname, hostname } = new URL(baseUrl)
  return {
    reasoning: false,
    ...(preset?.local === true ? { prices: free } : {}),
    ...(preset?.local === true || loopback.test(hostname) ? { local: true } : {}),
    ...described(known),
    ...described(listed),
    id,
    provider,
    api: endpoint.api,
    // without its query, which may hold a key
    baseUrl: origin + pathname,
    inputs: [...(listed?.inputs ?? known?.inputs ?? preset?.inputs ?? ['text'])],
  }
}

type Described = Partial<Pick<Model, 'name' | 'contextWindow' | 'maxOutput' | 'reasoning' | 'prices'>>

/** The fields that are set, and only those that belong to a descriptor. */
function described(source: Described | undefined): Described {
  const { name, contextWindow, maxOutput, reasoning, prices } = source ?? {}
  return {
    ...(name === undefined ? {} : { name }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(prices === undefined ? {} : { prices }),
  }
}
