// Declares what the parts of this folder need of the MCP servers of a session.
import type { Observable } from 'rxjs'
import type { McpClientPorts } from '../../mcp/contract/mcp-requests.ts'
import type { McpSession } from '../../mcp/contract/mcp-hub.ts'
import type { McpOffer } from '../../mcp/contract/mcp-offer.ts'

/** Ports for servers' requests. */
export type ServerPorts = Pick<McpClientPorts, 'elicit' | 'sample' | 'onNotice'>

export interface OpenedServers {
  readonly connection: McpSession
  /** The servers' offer when the session is opened. */
  readonly opened: McpOffer
  /** The tools that the client chose. Absent: every tool of a server is active. */
  readonly chosenTools?: readonly string[] | undefined
  /** Completes once the first request need not wait: each server has answered, or 250 ms are over. */
  readonly ready$: Observable<never>
  /** Answers what servers ask from now on. Called once. */
  connect(ports: ServerPorts): void
}

/** Names of the servers whose tools are not known, neither from them nor from an earlier connection. */
export function startingServers(servers: Pick<OpenedServers, 'connection' | 'opened'>): readonly string[] {
  const isStarting = ({ state, tools }: McpOffer['statuses'][number]): boolean =>
    state === 'starting' && tools === undefined
  return offerNow(servers)
    .statuses.filter(isStarting)
    .map(({ server }) => server)
}

/** Reads the present offer. */
export function offerNow({ connection, opened }: Pick<OpenedServers, 'connection' | 'opened'>): McpOffer {
  let offer = opened
  connection.offer$.subscribe((next) => (offer = next)).unsubscribe()
  return offer
}
