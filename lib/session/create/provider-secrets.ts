// Finds the secrets of the providers in models.json: keys, headers and addresses.
import { isSecretName } from '../../policy/secrets/secret-values.ts'
import { expandHeader } from '../../providers/endpoints/expand-headers.ts'
import { isPublicHeader, withoutScheme } from '../../providers/http/request-secrets.ts'
import type { ModelsFile } from '../../streams/config/settings.ts'

type Environment = Readonly<Record<string, string>>

export interface ProviderSecrets {
  /** Variables that hold credentials, as those of keys do. */
  readonly variables: readonly string[]
  /** Secrets by the text of their placeholder. */
  readonly values: readonly (readonly [kind: string, value: string])[]
}

/** The secrets of these providers: their keys, headers and addresses. */
export function secretsOfProviders(models: ModelsFile, env: Environment): ProviderSecrets {
  const headers = secretsInHeaders(models, env)
  return {
    variables: [...variablesOfKeys(models), ...headers.variables],
    values: [...literalKeys(models), ...headers.values, ...secretsInAddresses(models)],
  }
}

function variablesOfKeys({ providers }: ModelsFile): readonly string[] {
  return Object.values(providers)
    .flatMap(({ apiKey = [] }) => apiKey)
    .flatMap((spec) => (spec.startsWith('$') ? [spec.slice(1)] : []))
}

/**
 * A header carries credentials if its name or its scheme says so: its value is a secret, and so are its variables. Of
 * any other header but a public one, the values of variables are secrets, and its literal text is not.
 */
function secretsInHeaders({ providers }: ModelsFile, env: Environment): ProviderSecrets {
  const all = Object.entries(providers).flatMap(([provider, { headers = {}, models = [] }]) =>
    [headers, ...models.map((model) => model.headers ?? {})]
      .flatMap((written) => Object.entries(written))
      .map(([name, value]) => secretsOf({ kind: `header of ${provider}`, name, value }, env)),
  )
  return { variables: all.flatMap(({ variables }) => variables), values: all.flatMap(({ values }) => values) }
}

/** Of a login or a machine: commands need them, and their values are no secrets. */
const loginVariable = /^(?:USER|USERNAME|LOGNAME|HOME|HOSTNAME|HOST|PWD|PATH|SHELL|LANG)$/

interface WrittenHeader {
  /** The text of the placeholder. */
  readonly kind: string
  readonly name: string
  readonly value: string
}

function secretsOf({ kind, name, value }: WrittenHeader, env: Environment): ProviderSecrets {
  if (value.startsWith('!')) return { variables: [], values: [] } // no header is a command: it is refused
  const used: string[] = []
  const sent = expandHeader(value, (variable) => {
    used.push(variable)
    return env[variable]?.trim() ?? ''
  })
  const named = used.filter((variable) => !loginVariable.test(variable))
  if (!carriesCredentials(name, sent)) {
    const open = isPublicHeader(name) ? [] : named
    return {
      variables: named.filter(isSecretName),
      values: open.map((variable) => [variable, env[variable] ?? ''] as const),
    }
  }
  const inFile = used.length === 0 ? [withoutScheme(value)] : [] // there `$$` is a dollar sign
  const texts = [withoutScheme(sent), ...inFile, ...cookieValues(name, sent)]
  const ofVariables = new Set(used.map((variable) => env[variable]?.trim()))
  return {
    variables: named,
    values: texts.filter((text) => !ofVariables.has(text)).map((text) => [kind, text] as const),
  }
}

/** True for `authorization`, `x-api-key`, `cf-access-client-secret`, `cookie` and the like, and behind `Bearer`. */
export function carriesCredentials(name: string, value: string): boolean {
  if (isPublicHeader(name)) return false
  return (
    isSecretName(inSnakeCase(name)) ||
    /(?:^|[-_])(?:auth|authorization|authentication|jwt)(?:[-_]|$)|cookie/i.test(name) ||
    withoutScheme(value) !== value
  )
}

function cookieValues(name: string, value: string): readonly string[] {
  return /cookie/i.test(name) ? value.split(/; */).map((cookie) => cookie.slice(cookie.indexOf('=') + 1)) : []
}

/** The keys that are written out, by the text of their placeholder. */
function literalKeys({ providers }: ModelsFile): ProviderSecrets['values'] {
  return Object.entries(providers).flatMap(([name, { apiKey = [] }]) =>
    [apiKey]
      .flat()
      .filter((spec) => !spec.startsWith('$') && !spec.startsWith('!'))
      .map((key) => [`key of ${name}`, key] as const),
  )
}

/** Secrets in the addresses of models.json, by the text of their placeholder. */
function secretsInAddresses({ providers }: ModelsFile): ProviderSecrets['values'] {
  return Object.entries(providers).flatMap(([provider, { baseUrl, models = [] }]) =>
    [baseUrl, ...models.map((model) => model.baseUrl)]
      .flatMap((address) => secretsInAddress(address ?? ''))
      .map((text) => [`address of ${provider}`, text] as const),
  )
}

/** The values of a URL's query whose names say that they are secrets: `key`, `tavilyApiKey`, `sig`. */
export function secretsInAddress(address: string): readonly string[] {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return []
  return [...new URL(address).searchParams]
    .filter(([name]) => /^(?:code|sig|signature|auth|jwt)$/i.test(name) || isSecretName(inSnakeCase(name)))
    .flatMap(([, value]) => [...new Set([value, value.replaceAll(' ', '+')])]) // a plus sign as it is written
}

/** `tavilyApiKey` and `subscription-key` as names of variables. */
export function inSnakeCase(name: string): string {
  return name.replaceAll('-', '_').replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
}
