// Reads the MCP servers of a project's .mcp.json, from the content that a person trusts.
// Guarantees: starts nothing, and no message has a value of the environment or of a header.
import type { ServerSummary, McpEntry, McpServers } from '../../streams/config/mcp-servers.ts'
import type { OpenWarning } from '../../streams/ports/session-log.ts'
import { keyPath } from '../../streams/schema/lenient-check.ts'
import { checkWrittenMcpServers } from '../../streams/validation/file-validators.ts'
import { Failure } from '../../streams/values/failure.ts'
import { maxNamed } from './configuration-files.ts'
import { checkJsonText } from './read-json-file.ts'

export interface ProjectServers {
  readonly servers: McpServers
  /** Keys without effect, or why the file has no servers. */
  readonly warnings: readonly OpenWarning[]
}

/** A file that is not valid has no servers, and its reason is a warning: without them the session only lacks tools. */
export function projectServers(file: string, content: Buffer | undefined): ProjectServers {
  if (content === undefined) return { servers: {}, warnings: [] }
  try {
    const { value, unknown } = checkJsonText(file, content.toString('utf8'), checkWrittenMcpServers)
    const names = unknown.map(({ path, key }) => keyPath([...path, key]))
    return { servers: value.mcpServers, warnings: names.length === 0 ? [] : [unknownKeys(file, names)] }
  } catch (thrown) {
    const { message } = Failure.from(thrown, 'bad_config')
    return { servers: {}, warnings: [{ code: 'mcp_config', message, context: { file } }] }
  }
}

function unknownKeys(file: string, names: readonly string[]): OpenWarning {
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''
  const message = `${file}: unknown keys have no effect: ${names.slice(0, maxNamed).join(', ')}${more}`
  return { code: 'config_unknown_key', message, context: { file } }
}

/** Describes a server to people; variables and headers by their names alone. */
export function summariseServer(name: string, entry: McpEntry): ServerSummary {
  const { command, args, env, url, headers, disabled } = entry
  return {
    name,
    ...(command === undefined ? {} : { command }),
    ...(args === undefined ? {} : { args: [...args] }),
    ...(env === undefined ? {} : { env: Object.keys(env) }),
    ...(url === undefined ? {} : { url: withoutQuery(url) }),
    ...(headers === undefined ? {} : { headers: Object.keys(headers) }),
    ...(disabled === true ? { disabled } : {}),
  }
}

/** People put keys into the query of an address. */
function withoutQuery(url: string): string {
  const [address = '', query] = url.split('?', 2)
  return query === undefined ? address : `${address}?…`
}
