// Describes the hub, which shares the connections to MCP servers between the sessions of one process.
import type { Observable } from 'rxjs'
import type { Failure } from '../../streams/values/failure.ts'
import type { McpClientPorts } from './mcp-requests.ts'
import type { McpArgument, McpCompletionRef, McpOffer, McpPromptMessages, McpResourceContent } from './mcp-offer.ts'
import type { McpServer, McpStatus, McpTestReport } from './mcp-server.ts'
import type { McpLists } from './mcp-peer.ts'

/** The servers of one session. */
export interface McpSession {
  /**
   * The present offer at once, with the remembered tools of each server that has not answered; then one for each change. It never
   * fails and ends with the session.
   */
  readonly offer$: Observable<McpOffer>
  /** The present state of each server, then each change. It never fails and ends with the session. */
  readonly status$: Observable<McpStatus>
  getPrompt(server: string, name: string, args: Readonly<Record<string, string>>): Observable<McpPromptMessages>
  readResource(server: string, uri: string): Observable<McpResourceContent>
  complete(ref: McpCompletionRef, argument: McpArgument): Observable<readonly string[]>
  /** Releases the connections. A second call does nothing. */
  close(): void
}

/** A connection that sessions share. */
export interface RunningServer {
  readonly server: McpServer
  /** The folder of its sessions. */
  readonly cwd: string
  readonly status: McpStatus
}

export interface McpHub {
  /** Starts what is not started yet and returns at once. */
  open(servers: readonly McpServer[], ports: McpClientPorts): McpSession
  statuses(): readonly McpStatus[]
  /** The open connections. */
  running(): readonly RunningServer[]
  /** The last 64 KiB that a server wrote to standard error, by line. */
  logs(server: string): readonly string[]
  /** Starts a server for itself, reads its lists, remembers them, and ends it. Emits one report, never an error. */
  test(server: McpServer, ports: McpClientPorts): Observable<McpTestReport>
  /** Connects anew, also after the hub gave up. */
  restart(server: string): void
  /** Ends all connections and their processes. */
  close(): void
}

/** Remembers the lists of servers. `key` is 64 hexadecimal digits. */
export interface McpMemory {
  load(key: string): McpLists | undefined
  /** Returns why the lists could not be stored; undefined if they were, or are too long to be remembered. */
  store(key: string, lists: McpLists): Failure | undefined
}
