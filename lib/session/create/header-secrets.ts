// Finds the secrets in the headers of models.json and in the entries of MCP servers.
import { expandVariables } from '../../mcp/config/expand-variables.ts'
import { isSecretName } from '../../policy/secrets/secret-values.ts'
import { expandHeader } from '../../providers/endpoints/expand-headers.ts'
import { isPublicHeader, withoutScheme } from '../../providers/http/request-secrets.ts'
import type { ModelsFile, Settings } from '../../streams/config/settings.ts'
import { Failure } from '../../streams/values/failure.ts'

type Environment = Readonly<Record<string, string>>

export interface HeaderSecrets {
  /** Variables that hold credentials, as those of keys do. */
  readonly variables: readonly string[]
  /** Secrets by the text of their placeholder. */
  readonly values: readonly (readonly [kind: string, value: string])[]
}

/**
 * A header carries credentials if its name or its scheme says so: its value is a secret, and so are its variables. Of
 * any other header but a public one, the values of variables are secrets, and its literal text is not.
 */
export function secretsInHeaders({ providers }: ModelsFile, env: Environment): HeaderSecrets {
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

function secretsOf({ kind, name, value }: WrittenHeader, env: Environment): HeaderSecrets {
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
function carriesCredentials(name: string, value: string): boolean {
  if (isPublicHeader(name)) return false
  return (
    isSecretName(name.replaceAll('-', '_')) ||
    /(?:^|[-_])(?:auth|authorization|authentication|jwt)(?:[-_]|$)|cookie/i.test(name) ||
    withoutScheme(value) !== value
  )
}

function cookieValues(name: string, value: string): readonly string[] {
  return /cookie/i.test(name) ? value.split(/; */).map((cookie) => cookie.slice(cookie.indexOf('=') + 1)) : []
}

/**
 * Secrets of MCP servers in the settings, by the text of their placeholder: headers with credentials, variables whose name
 * says that they are secrets, and the secret of an OAuth client.
 */
export function secretsInServers(
  { mcpServers = {} }: Pick<Settings, 'mcpServers'>,
  env: Environment,
): readonly (readonly [kind: string, value: string])[] {
  return Object.entries(mcpServers).flatMap(([server, { headers = {}, env: variables = {}, oauth }]) => {
    const clientSecret = oauth === undefined || oauth === false ? undefined : oauth.clientSecret
    return [
      ...Object.entries(headers).filter(([name, value]) => carriesCredentials(name, value)),
      ...Object.entries(variables).filter(([name]) => isSecretName(name)),
      ...(clientSecret === undefined ? [] : [['clientSecret', clientSecret] as const]),
    ].flatMap(([, value]) => {
      const text = valueSent(value, env)
      return text === undefined || isNamed(text, env) ? [] : [[`secret of ${server}`, text] as const]
    })
  })
}

/** Undefined if a variable is missing: then the server does not start. */
function valueSent(value: string, env: Environment): string | undefined {
  try {
    return withoutScheme(expandVariables(value, 'mcpServers', { values: env }))
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined
    throw thrown
  }
}

/** True for the value of a variable whose name says that it is a secret: its placeholder has that name. */
function isNamed(text: string, env: Environment): boolean {
  return Object.entries(env).some(([name, value]) => value === text && isSecretName(name))
}
