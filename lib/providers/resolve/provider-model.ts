// Makes a model's descriptor from an endpoint and an id, and the Provider bound to both.
import { catchError, throwError, filter } from 'rxjs'
import type { Model } from '../../streams/models/model.ts'
import type { StoredAccount } from '../../streams/accounts/account-storage.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { GetApiKey } from '../../streams/ports/auth-storage.ts'
import type { ProviderModel, Provider } from '../../streams/ports/provider.ts'
import { httpFetch } from '../../host/http/http-fetch.ts'
import { mergeCompat } from '../adapter/merge-compat.ts'
import type { Api, ApiCompat } from '../adapter/merge-compat.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { CatalogueEntry } from '../catalogue/catalogue-row.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { Fetch } from '../http/guarded-fetch.ts'
import { unreachable } from '../http/network-reasons.ts'
import type { KeyMemory } from '../keys/key-memory.ts'
import { rotateKeys } from '../keys/key-rotation.ts'
import { isLoopback } from '../endpoints/endpoint.ts'
import { accountAddress, accountHeaders } from '../endpoints/account-headers.ts'
import { presetApi } from '../endpoints/presets.ts'
import { describeModel } from './describe-model.ts'
import type { Preset } from '../endpoints/preset.ts'
import { apis } from '../endpoints/apis.ts'
import type { ApiOptions } from '../endpoints/apis.ts'

export interface ProviderModelOptions {
  /** @default `httpFetch` */
  readonly fetch?: Fetch
  readonly memory: KeyMemory
  /** Returns the key of each request, before all others. */
  readonly getApiKey?: GetApiKey
  /** The catalogue of this provider's models, and of those that it serves. */
  readonly catalogue: Catalogue
}

/** Fields of models.json override the catalogue. A preset's compat applies to its own address only. */
export function providerModel(id: string, endpoint: Endpoint, options: ProviderModelOptions): ProviderModel {
  const { fetch = httpFetch, memory, getApiKey, catalogue } = options
  const { provider, preset, keys, headers, authHeader } = endpoint
  const known = catalogue.entry(provider, id, preset?.catalogue)
  const api = apiOf(id, endpoint)
  const respond$ = rotateKeys({
    provider,
    keys,
    memory,
    ...(getApiKey === undefined ? {} : { getApiKey }),
    respondWith: (apiKey$, account) =>
      apis[api]({
        provider,
        baseUrl: accountAddress(endpoint, account),
        headers,
        authHeader,
        apiKey$,
        compat: mergedCompat(id, endpoint, known),
        ...environmentOptions(preset ?? {}, endpoint.env),
        ...(account === undefined ? {} : accountOptions(account, { id, endpoint, known })),
        fetch,
      }),
  })
  return {
    model: descriptor({ id, provider, api }, endpoint, known),
    provider: warnOnce((request) =>
      respond$(request).pipe(
        catchError((error: unknown) => throwError(() => Failure.from(nameAddress(error, endpoint)))),
      ),
    ),
  }
}

/** The API of the model: some providers have several. */
function apiOf(id: string, { api, isPreset, isApiSet, preset }: Endpoint): Api {
  return isPreset && !isApiSet ? presetApi(preset, id, api) : api
}

/** The options that the token of an account wants; compat of models.json overrides them. */
function accountOptions(
  account: StoredAccount,
  {
    id,
    endpoint,
    known,
  }: { readonly id: string; readonly endpoint: Endpoint; readonly known?: CatalogueEntry | undefined },
): Partial<ApiOptions> {
  const { headers = {}, requestHeaders, compat } = endpoint.preset?.account ?? {}
  return {
    onlyBearer: true,
    headers: { ...headers, ...endpoint.headers },
    ...(requestHeaders === undefined ? {} : { requestHeaders: accountHeaders(requestHeaders, account) }),
    compat: mergedCompat(id, endpoint, known, compat),
  }
}

/** Adds to the failure of an endpoint that cannot be reached its address, and where the address is set. */
export function nameAddress(
  error: unknown,
  { baseUrl, addressFrom }: Pick<Endpoint, 'baseUrl' | 'addressFrom'>,
): unknown {
  if (!(error instanceof Failure) || error.data['systemCode'] === undefined) return error
  const { origin, pathname } = new URL(baseUrl)
  const set = addressFrom === undefined ? '' : ` (set in ${addressFrom})`
  const message = error.message.replace(unreachable, `${unreachable} at ${origin}${pathname}${set}`)
  return new Failure(error.code, message, { data: error.data, cause: error })
}

/** Merges compat: facts about this model override those of the endpoint; models.json overrides both. */
function mergedCompat(
  id: string,
  endpoint: Endpoint,
  known: CatalogueEntry | undefined,
  ofAccount?: ApiCompat,
): ApiCompat {
  const { preset, isPreset, compat } = endpoint
  const usual = isPreset ? mergeCompat(preset?.compat, ofAccount) : ofAccount
  const all = [usual, known?.compat, compat, listedModel(id, endpoint)?.compat]
  return all.reduce<ApiCompat>(mergeCompat, mergeCompat(preset?.compatEverywhere))
}

function listedModel(id: string, { models }: Endpoint): Endpoint['models'][number] | undefined {
  return models.find((model) => model.id === id)
}

/** The options from the preset's variables, except key and address. */
function environmentOptions(preset: Partial<Preset>, env: Readonly<Record<string, string>>): Partial<ApiOptions> {
  const variableOf = (variable: string | undefined): string | undefined => env[variable ?? '']?.trim() || undefined
  const organization = variableOf(preset.organizationVariable)
  const project = variableOf(preset.projectVariable)
  const apiVersion = variableOf(preset.apiVersionVariable)
  const vertex = Object.entries({
    project: variableOf(preset.vertexProjectVariable),
    location: variableOf(preset.vertexLocationVariable),
    keyFile: variableOf(preset.vertexKeyFileVariable),
  }).filter(([, value]) => value !== undefined)
  return {
    ...(organization ? { organization } : {}),
    ...(project ? { project } : {}),
    ...(apiVersion ? { apiVersion } : {}),
    ...(vertex.length > 0 ? { vertex: Object.fromEntries(vertex) } : {}),
    ...awsOptions(preset, variableOf),
  }
}

function awsOptions(
  { awsVariables }: Partial<Preset>,
  variableOf: (variable: string) => string | undefined,
): Pick<ApiOptions, 'aws'> {
  if (awsVariables === undefined) return {}
  const access = Object.entries(awsVariables).flatMap(([field, variables]) => {
    const value = variables.map(variableOf).find((each) => each !== undefined)
    return value === undefined ? [] : [[field, value] as const]
  })
  return { aws: Object.fromEntries(access) }
}

function descriptor(
  named: Pick<Model, 'id' | 'provider' | 'api'>,
  endpoint: Endpoint,
  known: CatalogueEntry | undefined,
): Model {
  const { preset, baseUrl } = endpoint
  const { origin, pathname } = new URL(baseUrl)
  return {
    ...describeModel(named, { listed: listedModel(named.id, endpoint), known, preset }),
    ...(isLoopback(baseUrl) ? { local: true } : {}),
    baseUrl: origin + pathname, // without its query, which may contain a key
  }
}

/**
 * Wraps a provider so that it emits each kind of warning once. A gateway that sends foreign frames sends them with
 * every response: the warning of the first response is enough.
 */
export function warnOnce(provider: Provider): Provider {
  const warned = new Set<string>()
  const isFirst = (code: string): boolean => {
    const { size } = warned
    return warned.add(code).size > size
  }
  return (request) => provider(request).pipe(filter((delta) => delta.type !== 'warning' || isFirst(delta.code)))
}
