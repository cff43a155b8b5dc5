// Where a provider answers and with which key: the preset, then models.json, then the environment; a key never goes to an address that it was not given for.
import { Failure } from '../streams/failure.ts'
import type { ModelsFile, ModelsProvider } from '../streams/settings.ts'
import type { Api } from './api-compat.ts'
import { missingKey } from './credential.ts'
import { presets } from './presets.ts'
import type { Preset } from './presets.ts'
import { wires } from './wires.ts'

export interface Endpoint {
  readonly provider: string
  /** The wire that it speaks. */
  readonly api: Api
  readonly baseUrl: string
  /** As models.json writes it (a literal, `$VARIABLE`, `!command`); undefined: no key is sent. */
  readonly key: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly models: NonNullable<ModelsProvider['models']>
  /** What is known of the provider beside its address. */
  readonly preset: Preset | undefined
  /** True where the preset's own address answers. */
  readonly isPreset: boolean
}

export interface EndpointSources {
  readonly env: Readonly<Record<string, string>>
  readonly models: ModelsFile
}

/**
 * The endpoint of that name; undefined where there is none. An address from the environment takes its key from there too,
 * never the one of models.json.
 * @throws Failure `bad_config` for what models.json leaves out or gets wrong, `bad_request` for a variable that holds no
 *   address, `provider_error` kind `auth` for a missing key
 */
export function endpointNamed(provider: string, { env, models }: EndpointSources): Endpoint | undefined {
  const preset = own(presets, provider)
  const entry = own(models.providers, provider)
  if (preset === undefined && entry === undefined) return undefined
  const told = valueOf(env, preset?.baseUrlVariable)
  const baseUrl = told ?? entry?.baseUrl ?? preset?.baseUrl
  if (baseUrl === undefined) throw noBaseUrl(provider, preset?.baseUrlVariable)
  checkUrl(baseUrl, told === undefined ? `models.json: providers.${provider}.baseUrl` : preset?.baseUrlVariable)
  const isPreset = baseUrl === preset?.baseUrl
  const api = entry?.api ?? (isPreset ? undefined : preset?.apiElsewhere) ?? preset?.api ?? 'openai-completions'
  if (!isApi(api)) throw unknownApi(provider, api)
  const hasKey = valueOf(env, preset?.keyVariable) !== undefined
  const key = hasKey ? `$${preset?.keyVariable ?? ''}` : told === undefined ? entry?.apiKey : undefined
  const needsKey = isPreset && valueOf(env, preset.insteadOfKey) === undefined
  if (key === undefined && needsKey && preset.keyVariable !== undefined) throw missingKey(provider, preset.keyVariable)
  if (key?.startsWith('$') && valueOf(env, key.slice(1)) === undefined) throw missingKey(provider, key.slice(1))
  return { provider, api, baseUrl, key, headers: entry?.headers ?? {}, models: entry?.models ?? [], preset, isPreset }
}

function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function valueOf(env: Readonly<Record<string, string>>, variable: string | undefined): string | undefined {
  return (variable === undefined ? undefined : env[variable]?.trim()) || undefined
}

function checkUrl(text: string, source: string | undefined): void {
  const url = URL.parse(text)
  const where = source ?? 'the preset'
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Failure('bad_request', `${where} is no http(s) address: give one like http://localhost:11434/v1.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new Failure(
      'bad_request',
      `${where} holds a user name or password: give the key as a key, not in the address.`,
    )
  }
}

function isApi(api: string): api is Api {
  return Object.hasOwn(wires, api)
}

function unknownApi(provider: string, api: string): Failure {
  const message = `models.json: providers.${provider}.api is "${api}"; known are ${Object.keys(wires).join(', ')}.`
  return new Failure('bad_config', message)
}

function noBaseUrl(provider: string, variable: string | undefined): Failure {
  const where = `models.json: providers.${provider} has no baseUrl; say where it answers`
  return new Failure('bad_config', variable === undefined ? `${where}.` : `${where}, there or in ${variable}.`)
}
