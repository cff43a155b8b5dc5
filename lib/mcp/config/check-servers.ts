// Checks the MCP servers that a client or a program passes with a session against their schema.
import type { McpServers } from '../../streams/config/mcp-servers.ts'
import { keyPath } from '../../streams/schema/lenient-check.ts'
import { checkWrittenMcpServers } from '../../streams/validation/file-validators.ts'
import { Failure } from '../../streams/values/failure.ts'

/** @throws Failure with the code that names the field and has no value of a secret */
export function checkServers(
  servers: Readonly<Record<string, unknown>>,
  code: 'bad_request' | 'bad_config' = 'bad_request',
): McpServers {
  const checked = checkWrittenMcpServers({ mcpServers: servers })
  if (!checked.ok) throw new Failure(code, checked.problem)
  const [unknown] = checked.value.unknown
  if (unknown === undefined) return checked.value.value.mcpServers
  throw new Failure(code, `${keyPath([...unknown.path, unknown.key])} is no key of an MCP server.`)
}
