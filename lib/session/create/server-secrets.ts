// Finds the secrets in the entries of MCP servers.
import { expandVariables } from '../../mcp/config/expand-variables.ts'
import { isSecretName } from '../../policy/secrets/secret-values.ts'
import { withoutScheme } from '../../providers/http/request-secrets.ts'
import type { McpEntry } from '../../streams/config/mcp-servers.ts'
import type { Settings } from '../../streams/config/settings.ts'
import { Failure } from '../../streams/values/failure.ts'
import { carriesCredentials, inSnakeCase, secretsInAddress } from './provider-secrets.ts'

type Environment = Readonly<Record<string, string>>

/**
 * Secrets of MCP servers in the settings, by the text of their placeholder: headers with credentials, variables and
 * arguments whose name says that they are secrets, those in the query of a URL, and the secret of an OAuth client.
 */
export function secretsInServers(
  { mcpServers = {} }: Pick<Settings, 'mcpServers'>,
  env: Environment,
): readonly (readonly [kind: string, value: string])[] {
  return Object.entries(mcpServers).flatMap(([server, entry]) =>
    secretsOfServer(entry, env)
      .filter((text) => !isNamed(text, env))
      .map((text) => [`secret of ${server}`, text] as const),
  )
}

function secretsOfServer({ headers = {}, env: variables = {}, oauth, url, args = [] }: McpEntry, env: Environment) {
  const clientSecret = oauth === undefined || oauth === false ? undefined : oauth.clientSecret
  const written = [
    ...Object.entries(headers).flatMap(([name, value]) => (carriesCredentials(name, value) ? [value] : [])),
    ...Object.entries(variables).flatMap(([name, value]) => (isSecretName(name) ? [value] : [])),
    ...(clientSecret === undefined ? [] : [clientSecret]),
  ]
  const sent = args.map((text) => textSent(text, env) ?? '')
  return [
    ...written.flatMap((value) => textSent(value, env) ?? []).map(withoutScheme),
    ...secretsInAddress(textSent(url ?? '', env) ?? ''),
    ...sent.flatMap((text, index) => secretsInArgument(text, sent[index - 1])),
  ]
}

/**
 * The secret of `--api-key TEXT`, `--api-key=TEXT`, `-e API_KEY=TEXT`, `--env=API_KEY=TEXT`, `--header 'Authorization:
 * Bearer TEXT'` and of a URL's query.
 */
function secretsInArgument(text: string, previous = ''): readonly string[] {
  if (isSecretOption(previous) && !text.startsWith('-')) return [text]
  const [, name, value] = /^-{0,2}([A-Za-z][\w-]*)(?:=|: *)(.+)$/s.exec(text) ?? []
  if (name === undefined || value === undefined || value.startsWith('//')) return secretsInAddress(text)
  if (text.startsWith(`${name}:`) ? carriesCredentials(name, value) : isSecretName(inSnakeCase(name))) {
    return [withoutScheme(value)]
  }
  return text.startsWith('-') ? secretsInArgument(value) : secretsInAddress(value)
}

function isSecretOption(text: string): boolean {
  return /^--?(?!no-)[A-Za-z][\w-]*$/.test(text) && isSecretName(inSnakeCase(text.replace(/^-+/, '')))
}

/** The text with the values of variables; undefined if one is missing: then the server does not start. */
function textSent(text: string, env: Environment): string | undefined {
  try {
    return expandVariables(text, 'mcpServers', { values: env })
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined
    throw thrown
  }
}

/** True for the value of a variable whose name says that it is a secret: its placeholder has that name. */
function isNamed(text: string, env: Environment): boolean {
  return Object.entries(env).some(([name, value]) => value === text && isSecretName(name))
}
