// Lists every model: those of the catalogue, of models.json and of the endpoints on this machine.
import {
  catchError,
  defaultIfEmpty,
  defer,
  forkJoin,
  from,
  map,
  of,
  switchMap,
  takeUntil,
  takeLast,
  timer,
  concat,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ListedModel } from '../../streams/commands/model-commands.ts'
import { modelName } from '../../streams/models/model.ts'
import type { ModelsProvider } from '../../streams/config/settings.ts'
import { getOwn } from '../../streams/values/json.ts'
import { catalogueOf } from '../catalogue/catalogue.ts'
import { usedCatalogue } from '../catalogue/catalogue-file.ts'
import { endpointAddress } from '../endpoints/endpoint.ts'
import type { EndpointSources } from '../endpoints/endpoint.ts'
import { usedKeys } from '../keys/provider-keys.ts'
import { listingEndpoint } from '../endpoints/local-endpoint.ts'
import type { LocalEndpoint } from '../endpoints/local-endpoint.ts'
import { knownPreset, presetApi, presets } from '../endpoints/presets.ts'
import { describeModel } from './describe-model.ts'
import { isUsableProvider } from './configured-provider.ts'
import type { RegisteredProvider } from '../custom/registry.ts'
import { registeredProviders } from '../custom/registry.ts'
import type { Fetch } from '../http/guarded-fetch.ts'
import type { RemoteModel } from '../endpoints/remote-models.ts'
import { fetchRemoteModels, listRemoteModels } from '../endpoints/remote-models.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { demoModel } from '../offline/demo-answers.ts'

export type ModelList = ResultOf<'list_models'>

export interface ListModelsOptions extends EndpointSources {
  readonly search?: string
  readonly provider?: string
  readonly usable?: boolean
  /** @default 10,000 */
  readonly limit?: number
  /** Milliseconds for all endpoints on this machine together; 0: no search. */
  readonly localMs: number
  /** Newer data of the catalogue, absolute; see `update_models`. @default none */
  readonly catalogueFile?: string | undefined
  /** @default `httpFetch` */
  readonly fetch?: Fetch
  /** Custom providers by name. @default those of `registerProvider` */
  readonly registered?: ReadonlyMap<string, RegisteredProvider>
}

/** Emits once and completes. Fails with Failure `bad_request` for an unknown provider. */
export function listModels(options: ListModelsOptions): Observable<ModelList> {
  return defer(() => {
    const providers = providersOf(options)
    const makers = providers.flatMap((provider) => knownPreset(provider)?.catalogue ?? [])
    return forkJoin([
      catalogueOf([...providers, ...makers], options.catalogueFile),
      fetchServedModels(providers, options),
    ]).pipe(
      map(([catalogue, endpoints]) => {
        const all = providers.flatMap(
          (provider) =>
            ownModels(provider, options) ??
            listedModels(provider, {
              catalogue,
              entry: getOwn(options.models.providers, provider),
              served: endpoints.find(({ endpoint }) => endpoint.provider === provider)?.models ?? [],
              usable: isUsableProvider(provider, options),
              planned: plannedModels(provider, options),
            }),
        )
        return { all: options.usable === true ? all.filter(({ usable }) => usable) : all, endpoints }
      }),
      switchMap(({ all, endpoints }) =>
        sortModels(all, providers.length === 1 && options.provider === undefined ? '' : options.search).pipe(
          map((found) => toModelList(found, endpoints, options)),
        ),
      ),
    )
  })
}

/** A search that equals a provider's name finds that provider only. */
function providersOf(options: ListModelsOptions): readonly string[] {
  const { provider, search = '', models } = options
  const own = registeredOf(options).keys()
  const all = [...new Set([...own, ...Object.keys(presets), ...Object.keys(models.providers), 'demo'])]
  const wantedName = search.trim().toLowerCase()
  if (provider === undefined) return all.includes(wantedName) ? [wantedName] : all
  if (all.includes(provider)) return [provider]
  throw new Failure('bad_request', `There is no provider "${provider}"; leave the provider out to list all.`)
}

function registeredOf({
  registered = registeredProviders,
}: ListModelsOptions): ReadonlyMap<string, RegisteredProvider> {
  return registered
}

/** The listed models of a registered provider; undefined for any other. */
function ownModels(name: string, options: ListModelsOptions): readonly ListedModel[] | undefined {
  const own = registeredOf(options).get(name)
  return own?.models.map((model) => ({ model, usable: canOpen(own, model.id, options), served: false }))
}

function canOpen(own: RegisteredProvider, id: string, options: ListModelsOptions): boolean {
  try {
    own.open(id, options)
    return true
  } catch {
    return false // its key or its address is missing; the error for its name explains it
  }
}

/** Undefined if no account is used, or if its vendor reports no models. An unreadable file of accounts lists all. */
function plannedModels(provider: string, options: ListModelsOptions): readonly string[] | undefined {
  if (knownPreset(provider)?.account === undefined || options.authStorage?.accounts === undefined) return undefined
  try {
    const address = endpointAddress(provider, options)
    return address && usedKeys(address, options)[0]?.account?.models
  } catch {
    return undefined // the error for its name explains it
  }
}

interface Served {
  readonly endpoint: LocalEndpoint
  readonly models: readonly RemoteModel[]
  readonly problem?: string
}

/** Asks all endpoints on this machine at the same time. */
function fetchServedModels(providers: readonly string[], options: ListModelsOptions): Observable<readonly Served[]> {
  const endpoints = providers.flatMap((provider) => (options.localMs === 0 ? [] : listingEndpoint(provider, options)))
  return endpoints.length === 0 ? of([]) : forkJoin(endpoints.map((endpoint) => fetchServed(endpoint, options.localMs)))
}

/** The number of models whose details are fetched one by one. */
const maxDetails = 64

function fetchServed(endpoint: LocalEndpoint, withinMs: number): Observable<Served> {
  return listRemoteModels(endpoint.kind, endpoint).pipe(
    switchMap((models) => concat(of(models), fetchRemoteModels(models, endpoint, maxDetails))),
    map((models): Served => ({ endpoint, models })),
    takeUntil(timer(withinMs)),
    takeLast(1),
    defaultIfEmpty<Served, Served>({ endpoint, models: [], problem: `it does not answer within ${withinMs} ms` }),
    catchError((error: unknown) => {
      const problem = error instanceof Failure ? error.message : 'the endpoint does not answer'
      return of({ endpoint, models: [], problem })
    }),
  )
}

/** Sorts by relevance; without a search, available models come first. */
function sortModels(all: readonly ListedModel[], search = ''): Observable<readonly ListedModel[]> {
  if (search.trim() === '') return of([...all.filter(({ usable }) => usable), ...all.filter(({ usable }) => !usable)])
  const targets = all.map((listed) => ({ listed, full: modelName(listed.model), name: listed.model.name ?? '' }))
  return from(import('fuzzysort')).pipe(
    map(({ go }) =>
      go(search, targets, { keys: ['full', 'name'], limit: 0, threshold: 0.3 }).map(({ obj }) => obj.listed),
    ),
  )
}

function toModelList(
  found: readonly ListedModel[],
  endpoints: readonly Served[],
  { limit = 10_000, catalogueFile }: ListModelsOptions,
): ModelList {
  return {
    models: found.slice(0, limit),
    total: found.length,
    endpoints: endpoints.map(({ endpoint: { provider, baseUrl }, problem }) => ({
      provider,
      baseUrl,
      ...(problem === undefined ? {} : { problem }),
    })),
    source: usedCatalogue(catalogueFile),
  }
}

interface KnownOfProvider {
  readonly catalogue: Catalogue
  /** The entry of models.json. */
  readonly entry: ModelsProvider | undefined
  readonly served: readonly RemoteModel[]
  readonly usable: boolean
  /** The models of the plan that a person signed in to, as its vendor reports them. */
  readonly planned: readonly string[] | undefined
}

/** Lists each id once: served models first, then those of models.json, then those of the catalogue. */
function listedModels(provider: string, known: KnownOfProvider): readonly ListedModel[] {
  if (provider === demoModel.provider) return [{ model: demoModel, usable: true, served: false }]
  const { catalogue, entry, served, planned, usable } = known
  const preset = knownPreset(provider)
  const own = catalogue.ids(provider)
  const named = [
    ...served.filter(({ embeds }) => embeds !== true).map(({ id }) => id),
    ...(entry?.models ?? []).map(({ id }) => id),
    ...(preset?.defaultModel === undefined ? [] : [preset.defaultModel]),
    ...(own.length === 0 && preset?.catalogue !== undefined ? catalogue.ids(preset.catalogue) : own),
  ]
  const ids = new Set(planned === undefined ? named : [...named.filter((id) => planned.includes(id)), ...planned])
  return [...ids].map((id) => {
    const remote = served.find((model) => model.id === id)
    const listed = entry?.models?.find((model) => model.id === id)
    const api = listed?.api ?? entry?.api ?? presetApi(preset, id, preset?.api ?? 'openai-completions')
    const sources = { listed, known: catalogue.entry(provider, id, preset?.catalogue), remote, preset }
    return { model: describeModel({ id, provider, api }, sources), usable, served: remote !== undefined }
  })
}
