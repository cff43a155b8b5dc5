// Describes a row of the list of servers, and the state of its connections.
import type { McpServer, McpStatus } from '../../mcp/contract/mcp-server.ts'
import type { McpRow } from '../../streams/commands/mcp-commands.ts'

export interface ListedServer {
  readonly row: McpRow
  /** Absent: it has a problem, or is disabled. */
  readonly server?: McpServer
  /** True: its problem is a decision of the user, not a fault. */
  readonly isPassedOver?: boolean
}

/** Sessions of several folders may have a connection each: the one that needs a person most counts. */
export function stateOf(name: string, statuses: readonly McpStatus[]): Partial<McpRow> {
  const own = statuses.filter(({ server }) => server === name)
  const worst = own.toSorted((one, other) => gravity.indexOf(one.state) - gravity.indexOf(other.state))[0]
  if (worst === undefined) return {}
  const { state, error, protocol, tools, pid, restarts } = worst
  return {
    state,
    restarts,
    ...(error === undefined ? {} : { error }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(tools === undefined ? {} : { tools }),
    ...(pid === undefined ? {} : { pid }),
  }
}

const gravity: readonly McpStatus['state'][] = ['needs_login', 'failed', 'waiting', 'starting', 'ready', 'stopped']
