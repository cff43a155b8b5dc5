// Resolves a provider's endpoint and keys.
// The preset comes first, then models.json, then the environment; the last one wins.
import { Failure } from '../../streams/values/failure.ts'
import { getOwn } from '../../streams/values/json.ts'
import type { ModelsFile, ModelsProvider } from '../../streams/config/settings.ts'
import type { Api, ApiCompat } from '../adapter/merge-compat.ts'
import { missingAccount, missingKey } from '../keys/credential.ts'
import type { Preset } from './preset.ts'
import { addressVariables, knownPreset, presetNamed, presets } from './presets.ts'
import { usedKeys } from '../keys/provider-keys.ts'
import type { KeyAddress, KeySources, ProviderKey } from '../keys/provider-key.ts'
import { chooseEnvironment, describeSource } from '../keys/key-environment.ts'
import type { KeyEnvironment, KeyEnvironments } from '../keys/key-environment.ts'
import { apis } from './apis.ts'
import { expandHeaders } from './expand-headers.ts'

export interface Endpoint {
  readonly provider: string
  /** The API of the endpoint. */
  readonly api: Api
  readonly baseUrl: string
  /**
   * Returns the keys for requests, found anew each time; none: the request has no key.
   * @throws Failure `provider_error` kind `auth` if one is missing
   */
  readonly keys: () => readonly ProviderKey[]
  readonly headers: Readonly<Record<string, string>>
  /** True: the key is sent as `Authorization: Bearer` too. */
  readonly authHeader: boolean
  readonly models: NonNullable<ModelsProvider['models']>
  /** The compat in models.json. */
  readonly compat: ApiCompat | undefined
  /** Further facts about the provider. */
  readonly preset: Preset | undefined
  /** The variable or the key of models.json that names the address; absent: it is the preset's own. */
  readonly addressFrom?: string
  /** True if the address is the preset's own. */
  readonly isPreset: boolean
  /** True if models.json names the API. */
  readonly isApiSet: boolean
  /** The environment of its key, address and account. */
  readonly env: Readonly<Record<string, string>>
  /** Messages for the user: settings of models.json that are not sent to this address. */
  readonly notices: readonly Notice[]
}

/** A provider's address, before its keys are found. */
export interface EndpointAddress extends KeyAddress {
  readonly preset: Preset | undefined
  /** See `Endpoint`. */
  readonly addressFrom?: string
  readonly environment: KeyEnvironment
}

export interface EndpointSources extends KeySources {
  readonly models: ModelsFile
}

/**
 * Returns the endpoint of that name, if there is one.
 * @param id the model's: its entry in models.json may have an API, an address and headers of its own
 * @throws Failure `bad_config` for missing or invalid fields of models.json, and for a variable without a valid address
 */
export function endpointNamed(provider: string, sources: EndpointSources, id?: string): Endpoint | undefined {
  const address = endpointAddress(provider, sources, id)
  if (address === undefined) return undefined
  const { preset, entry, baseUrl, environment } = address
  if (baseUrl === undefined) throw missingBaseUrl(provider, preset?.baseUrlVariable)
  const isPreset = baseUrl === preset?.baseUrl
  const api = entry?.api ?? (isPreset ? undefined : preset?.apiElsewhere) ?? preset?.api ?? 'openai-completions'
  if (!isApi(api)) throw unknownApi(provider, api)
  const hasRequiredKey = preset?.keyVariable !== undefined && preset.keyOptional !== true
  const needsKey = isPreset && hasRequiredKey && !valueOf(environment.env, preset.insteadOfKey)
  const keys = (): readonly ProviderKey[] => {
    const found = usedKeys(address, sources)
    if (found.length > 0) return found
    if (isPreset && preset.account?.required === true) throw missingAccount(provider)
    const required = requiredVariable(address)
    if (needsKey || required !== undefined)
      throw missingKey(provider, required ?? preset?.keyVariable, preset?.missingKeyHelp)
    return []
  }
  const { headers = {}, models = [], compat, authHeader = false } = entry ?? {}
  const { addressFrom } = address
  const from = isPreset || addressFrom === undefined ? {} : { addressFrom }
  const isApiSet = entry?.api !== undefined
  const known = { provider, api, baseUrl, keys, models, compat, authHeader, preset, isPreset, isApiSet, ...from }
  const shared = { ...known, env: environment.env }
  const notices = otherAddressNotices(address, sources)
  if (!address.isFromEnvironment) return { ...shared, headers: expandHeaders(headers, provider, sources), notices }
  const leftOut = Object.keys(headers).length === 0 ? [] : [headersNotice(address, baseUrl)]
  return { ...shared, headers: {}, notices: [...notices, ...leftOut] }
}

/**
 * Returns the provider's address, if the provider is known.
 * @throws Failure `bad_config` if the address is invalid
 */
export function endpointAddress(
  provider: string,
  { models, ...environments }: KeyEnvironments & Pick<EndpointSources, 'models'>,
  id?: string,
): EndpointAddress | undefined {
  const environment = chooseEnvironment(knownPreset(provider), environments)
  const { env } = environment
  const preset = presetNamed(provider, env, id)
  const entry = modelEntry(getOwn(models.providers, provider), id)
  if (preset === undefined && entry === undefined) return undefined
  const configured = valueOf(env, preset?.baseUrlVariable)
  // without an id, the address of the first model stands for a provider that has none
  const ofModels = id === undefined ? entry?.models?.find((model) => model.baseUrl !== undefined)?.baseUrl : undefined
  const usual = entry?.baseUrl ?? preset?.baseUrl ?? ofModels
  const baseUrl = configured ?? usual
  const variable = describeSource(preset?.baseUrlVariable ?? '', environment)
  const source = configured === undefined ? `models.json: providers.${provider}.baseUrl` : variable
  if (baseUrl !== undefined) checkUrl(baseUrl, source)
  return {
    provider,
    preset,
    entry,
    baseUrl,
    addressFrom: source,
    environment,
    isFromEnvironment: configured !== undefined && !isSameAddress(configured, usual),
  }
}

/** The entry of a provider as the model of that id has it. */
function modelEntry(entry: ModelsProvider | undefined, id: string | undefined): ModelsProvider | undefined {
  const { api, baseUrl, headers } = entry?.models?.find((model) => model.id === id) ?? {}
  return (
    entry && {
      ...entry,
      ...(api === undefined ? {} : { api }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(headers === undefined ? {} : { headers: { ...entry.headers, ...headers } }),
    }
  )
}

function isSameAddress(one: string, other: string | undefined): boolean {
  const plain = (address: string | undefined): string | undefined => URL.parse(address ?? '')?.href.replace(/\/+$/, '')
  return plain(one) === plain(other)
}

/** The client's address gets no key of the server. */
function otherAddressNotices(
  { provider, preset, environment, baseUrl }: EndpointAddress,
  { env }: KeySources,
): Notice[] {
  const { baseUrlVariable: variable = '', keyVariable = '' } = preset ?? {}
  const own = valueOf(env, variable)
  if (!environment.isOfStart || own === undefined || isSameAddress(own, baseUrl)) return []
  const message = `${variable} of this shell is not used, because the key of ${provider} is from the server's start: set ${keyVariable} beside it.`
  return [{ code: 'base_url_left_out', message }]
}

/**
 * The headers may contain a key, and the environment may belong to another folder (docs/decisions/0020,
 * docs/decisions/0074).
 */
function headersNotice({ provider, preset }: EndpointAddress, baseUrl: string): Notice {
  const { origin, pathname } = new URL(baseUrl)
  const variable = preset?.baseUrlVariable ?? 'the environment'
  const message = `The headers of ${provider} in models.json are not sent to ${origin}${pathname}, which ${variable} names: set baseUrl in models.json for an address that gets them.`
  return { code: 'headers_left_out', message }
}

/** Returns the key variable of models.json, if it applies; a missing one is an error, not ignored. */
function requiredVariable({ entry, isFromEnvironment }: EndpointAddress): string | undefined {
  const { apiKey = [] } = entry ?? {}
  if (isFromEnvironment) return undefined
  return [apiKey]
    .flat()
    .find((spec) => spec.startsWith('$'))
    ?.slice(1)
}

function valueOf(env: Readonly<Record<string, string>>, variable: string | undefined): string | undefined {
  return (variable === undefined ? undefined : env[variable]?.trim()) || undefined
}

function checkUrl(text: string, source: string | undefined): void {
  const url = URL.parse(text)
  const where = source ?? 'the preset'
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Failure('bad_config', `${where} is not an http(s) address: give one like http://localhost:11434/v1.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new Failure(
      'bad_config',
      `${where} holds a user name or password: give the key as a key, not in the address.`,
    )
  }
}

function isApi(api: string): api is Api {
  return Object.hasOwn(apis, api)
}

function unknownApi(provider: string, api: string): Failure {
  const message = `models.json: providers.${provider}.api is "${api}"; known are ${Object.keys(apis).join(', ')}.`
  return new Failure('bad_config', message)
}

function missingBaseUrl(provider: string, baseUrlVariable: string | undefined): Failure {
  const variable = addressVariables(getOwn(presets, provider))[0] ?? baseUrlVariable
  const where = `models.json: providers.${provider} has no baseUrl; set its address`
  return new Failure('bad_config', variable === undefined ? `${where}.` : `${where}, there or in ${variable}.`)
}

export interface Notice {
  /** For programs: `model_chosen` … */
  readonly code: string
  /** One sentence, ended by a full stop. */
  readonly message: string
}

/** True for `localhost`, 127.0.0.0/8 and `[::1]`, as they stand in a URL. */
export function isLoopback(address: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname)
}
