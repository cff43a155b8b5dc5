// Decodes one entry of `mcpServers`: checks that its fields fit together, expands variables, paths.
// Guarantees: a decoded server can be started as it is, and no error has a value of a header or of the environment.
import { resolvePath } from '../../host/files/resolve-path.ts'
import type { McpEntry } from '../../streams/config/mcp-servers.ts'
import { mcpNamePattern } from '../../streams/config/mcp-servers.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { McpOrigin, McpRemote, McpServer, McpStdio } from '../contract/mcp-server.ts'
import { expandVariables } from './expand-variables.ts'
import type { Variables } from './expand-variables.ts'

export interface DecodeContext {
  readonly origin: McpOrigin
  /** Absolute; a relative `cwd` is below it. */
  readonly folder: string
  /** Absent: texts are taken as they are. */
  readonly variables?: Variables
}

const startTimeoutMs = 30_000
const callTimeoutMs = 120_000

/**
 * The server of an entry that fits the schema; undefined if it is disabled.
 * @throws Failure `bad_config` that names server and field
 */
export function decodeServer(name: string, entry: McpEntry, context: DecodeContext): McpServer | undefined {
  const field = `mcpServers.${name}`
  if (!new RegExp(mcpNamePattern).test(name)) {
    throw new Failure('bad_config', `mcpServers: the name ${JSON.stringify(name)} may have 1 to 64 of A-Z a-z 0-9 _ -`)
  }
  if (entry.disabled === true) return undefined
  const { variables } = context
  const expand = (text: string, inner: string): string =>
    variables === undefined ? text : expandVariables(text, `${field}.${inner}`, variables)
  const { tools, oauth } = entry
  return {
    name,
    origin: context.origin,
    transport: isProgram(entry, field) ? program(entry, expand, context.folder) : remote(entry, expand, field),
    perSession: entry.perSession ?? false,
    startTimeoutMs: entry.startTimeoutMs ?? startTimeoutMs,
    callTimeoutMs: entry.timeoutMs ?? callTimeoutMs,
    ...(tools === undefined ? {} : { tools }),
    sampling: entry.sampling ?? false,
    ...(oauth === undefined ? {} : { oauth: oauth === false ? false : expandOAuth(oauth, expand) }),
  }
}

type Expand = (text: string, field: string) => string

const fieldsOfPrograms = ['args', 'env', 'cwd'] as const
const fieldsOfAddresses = ['headers', 'oauth'] as const

/** True for a program, false for an address. */
function isProgram(entry: McpEntry, field: string): boolean {
  const { type, command, url } = entry
  if (command !== undefined && url !== undefined) {
    throw new Failure('bad_config', `${field} has both command and url; a server is a program or an address.`)
  }
  const isStdio = type === undefined ? command !== undefined : type === 'stdio'
  const needed = isStdio ? 'command' : 'url'
  if (entry[needed] === undefined) {
    const reason = type === undefined ? 'needs command or url' : `needs ${needed}, because its type is ${type}`
    throw new Failure('bad_config', `${field} ${reason}.`)
  }
  const foreign = (isStdio ? fieldsOfAddresses : fieldsOfPrograms).find((each) => entry[each] !== undefined)
  if (foreign !== undefined) {
    const kind = isStdio ? 'a program' : 'an address'
    throw new Failure('bad_config', `${field}.${foreign} has no meaning for ${kind}.`)
  }
  return isStdio
}

function program(entry: McpEntry, expand: Expand, folder: string): McpStdio {
  const { command = '', args = [], env = {}, cwd } = entry
  return {
    kind: 'stdio',
    command: expand(command, 'command'),
    args: args.map((text, index) => expand(text, `args.${index}`)),
    env: expandAll(env, 'env', expand),
    ...(cwd === undefined ? {} : { cwd: resolvePath(expand(cwd, 'cwd'), folder) }),
  }
}

function remote(entry: McpEntry, expand: Expand, field: string): McpRemote {
  const url = expand(entry.url ?? '', 'url')
  const problem = urlProblem(url)
  if (problem !== undefined) throw new Failure('bad_config', `${field}.url ${problem}.`)
  const headers = expandAll(entry.headers ?? {}, 'headers', expand)
  for (const [name, value] of Object.entries(headers)) checkHeader(name, value, `${field}.headers`)
  return { kind: entry.type === 'sse' ? 'sse' : 'http', url: new URL(url).href, headers }
}

function expandAll(texts: Readonly<Record<string, string>>, field: string, expand: Expand): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, expand(text, `${field}.${name}`)]))
}

function expandOAuth<OAuth extends { readonly clientId?: string; readonly clientSecret?: string }>(
  oauth: OAuth,
  expand: Expand,
): OAuth {
  const { clientId, clientSecret } = oauth
  return {
    ...oauth,
    ...(clientId === undefined ? {} : { clientId: expand(clientId, 'oauth.clientId') }),
    ...(clientSecret === undefined ? {} : { clientSecret: expand(clientSecret, 'oauth.clientSecret') }),
  }
}

function urlProblem(url: string): string | undefined {
  if (!URL.canParse(url)) return 'is no URL'
  const { protocol, username, password } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return 'must begin with http:// or https://'
  return username === '' && password === '' ? undefined : 'may not have a user name or a password; use headers'
}

/** The platform's own error would quote the value. */
function checkHeader(name: string, value: string, field: string): void {
  try {
    new Headers([[name, value]])
  } catch {
    throw new Failure('bad_config', `${field}.${name}: the name or the value cannot be sent as a header.`)
  }
}
