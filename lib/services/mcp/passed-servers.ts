// Lists the MCP servers that clients have passed with open sessions of a folder.
import type { RunningServer } from '../../mcp/contract/mcp-hub.ts'
import type { McpServer } from '../../mcp/contract/mcp-server.ts'
import { summariseServer } from '../../store/config/project-servers.ts'
import type { ServerSummary } from '../../streams/config/mcp-servers.ts'
import { stateOf } from './server-state.ts'
import type { ListedServer } from './server-state.ts'

/** One row for each entry, however many sessions have it. */
export function listPassed(running: readonly RunningServer[], cwd: string): ListedServer[] {
  const rows = new Map<string, ListedServer>()
  const passed = running.filter(({ server, cwd: folder }) => isPassed(server) && folder === cwd)
  for (const { server } of passed) {
    const summary = summaryOf(server)
    const same = passed.filter((other) => JSON.stringify(summaryOf(other.server)) === JSON.stringify(summary))
    const state = stateOf(server.name, same.map(({ status }) => status)) // prettier-ignore
    rows.set(JSON.stringify(summary), { row: { ...summary, origin: 'client', ...state }, server })
  }
  return [...rows.values()]
}

/** By a client or by the program of the server: no file names it. */
export function isPassed({ origin }: McpServer): boolean {
  return origin === 'client' || origin === 'option'
}

function summaryOf({ name, transport }: McpServer): ServerSummary {
  if (transport.kind !== 'stdio')
    return summariseServer(name, { url: transport.url, headers: { ...transport.headers } })
  const { command, args, env } = transport
  return summariseServer(name, { command, args: [...args], env: { ...env } })
}
