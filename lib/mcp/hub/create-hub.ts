// Creates the hub: shares connections to servers between sessions, and has their states and logs.
import { defer, forkJoin, mergeMap, of } from 'rxjs'
import type { McpHub, McpMemory } from '../contract/mcp-hub.ts'
import type { McpLists } from '../contract/mcp-peer.ts'
import { memoryKey } from './connection-keys.ts'
import { openMcpSession } from './session-servers.ts'
import { noAccounts, notRemembered, sharedConnections } from './shared-connections.ts'
import type { ConnectionsOptions } from './shared-connections.ts'

export interface McpHubOptions extends Omit<ConnectionsOptions, 'memory'> {
  /** The lists of another time. Default: none are remembered. */
  readonly memory?: McpMemory
  /** Absolute: long results of tools go to `<folder>/<session id>`. Default: they are cut. */
  readonly spillFolder?: string
}

const noMemory: McpMemory = { load: () => undefined, store: () => undefined }

/** A hub without connections. Its `close` ends all; what was opened before stays without servers. */
export function createMcpHub({ memory = noMemory, spillFolder, ...options }: McpHubOptions = {}): McpHub {
  const connections = sharedConnections({ ...options, memory })
  return {
    open: (servers, ports) => openMcpSession({ servers, ports, connections, spillFolder }),
    statuses: () => connections.all().map(({ present: { status } }) => status),
    running: () => connections.all().map(({ server, cwd, present: { status } }) => ({ server, cwd, status })),
    logs: (server) => connections.log(server)?.lines() ?? [],
    test: (server, ports) => {
      const onLists = (lists: McpLists): string | undefined => {
        const failure = memory.store(memoryKey(server, ports), lists)
        return failure === undefined ? undefined : notRemembered(failure)
      }
      return defer(() => forkJoin([import('./test-server.ts'), options.accounts$ ?? of(noAccounts)])).pipe(
        mergeMap(([{ testServer }, { authFor, fetch }]) =>
          testServer({ server, ports, onLists, auth: authFor(server), fetch }),
        ),
      )
    },
    restart: (server) => {
      for (const connection of connections.all()) if (connection.server.name === server) connection.restart()
    },
    close: () => connections.close(),
  }
}
