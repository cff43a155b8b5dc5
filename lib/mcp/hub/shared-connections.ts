// Shares connections between sessions: the first starts a server, the last ends it after a grace.
import { defer, finalize, map, merge, of, ReplaySubject, share, Subject, take, takeUntil, tap, timer } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import type { Failure } from '../../streams/values/failure.ts'
import { BoundedMap } from '../../streams/values/bounded-map.ts'
import { openCalls } from '../connection/open-calls.ts'
import type { OpenCalls } from '../connection/open-calls.ts'
import { serverPeer } from '../connection/server-peer.ts'
import { superviseServer } from '../connection/supervise-server.ts'
import type { ServerState } from '../connection/supervise-server.ts'
import type { McpMemory } from '../contract/mcp-hub.ts'
import type { McpLists, McpPeer } from '../contract/mcp-peer.ts'
import type { McpClientPorts } from '../contract/mcp-requests.ts'
import type { McpServer } from '../contract/mcp-server.ts'
import { answerRequests } from '../requests/answer-requests.ts'
import type { McpAuth } from '../transport/remote-transport.ts'
import { serverLog } from '../transport/server-log.ts'
import type { ServerLog } from '../transport/server-log.ts'
import { connectionKey, memoryKey } from './connection-keys.ts'

/** Servers whose logs stay. */
const logLimit = 100

export interface ConnectionsOptions {
  /** Signs in to a server. Default: a demand for a sign-in is an error. */
  readonly auth?: ((server: McpServer) => McpAuth | undefined) | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
  readonly memory: McpMemory
  /** Milliseconds that a server lives on without a session. Default 2,000. */
  readonly graceMs?: number | undefined
}

export interface SharedConnection {
  readonly server: McpServer
  /** The folder of its sessions. */
  readonly cwd: string
  /** Starts the server with the first subscription. Starts with the present state; never completes before the hub is closed. */
  readonly state$: Observable<ServerState>
  readonly peer: McpPeer
  readonly calls: OpenCalls
  readonly log: ServerLog
  /** The lists of the server, or those of another time; undefined if they were never read. */
  remembered(): McpLists | undefined
  /** The last state. */
  readonly present: ServerState
  restart(): void
}

export interface SharedConnections {
  /** The connection for a session. A server that was given up is started anew. */
  take(server: McpServer, ports: McpClientPorts): SharedConnection
  all(): readonly SharedConnection[]
  /** The log of the last connection to a server of that name, also of one that has ended. */
  log(server: string): ServerLog | undefined
  /** Ends all connections. */
  close(): void
}

export function sharedConnections(options: ConnectionsOptions): SharedConnections {
  const connections = new Map<string, SharedConnection>()
  const logs = new BoundedMap<string, ServerLog>(logLimit)
  const closed$ = new ReplaySubject<void>(1)
  return {
    take: (server, ports) => {
      const key = connectionKey(server, ports)
      const existing = connections.get(key)
      // a person may have mended it, or signed in by another process
      if (existing !== undefined && isToRetry(existing)) existing.restart()
      if (existing !== undefined) return existing
      const connection = createConnection({ ...options, server, ports, closed$, onEnd: () => connections.delete(key) })
      connections.set(key, connection)
      logs.set(server.name, connection.log)
      return connection
    },
    all: () => [...connections.values()],
    log: (server) => logs.get(server),
    close: () => closed$.next(),
  }
}

function isToRetry({ present: { status } }: SharedConnection): boolean {
  return status.state === 'failed' || status.state === 'needs_login'
}

interface CreateOptions extends ConnectionsOptions {
  readonly server: McpServer
  readonly ports: McpClientPorts
  readonly closed$: Observable<void>
  readonly onEnd: () => void
}

function createConnection({ server, ports, closed$, onEnd, ...options }: CreateOptions): SharedConnection {
  const { auth, fetch, memory, graceMs = 2_000 } = options
  const log = serverLog()
  const calls = openCalls()
  const restart$ = new Subject<void>()
  let present: ServerState = { status: { server: server.name, state: 'starting', restarts: 0 } }
  let hasEnded = false
  const key = memoryKey(server, ports)
  const update = (state: ServerState): void => {
    const { lists } = present
    present = state
    const isNew = state.lists !== undefined && state.lists !== lists
    const failure = isNew ? memory.store(key, state.lists) : undefined
    if (failure !== undefined) reportMemory(failure, { server, log, calls })
  }
  const supervised$ = superviseServer({
    server,
    cwd: ports.cwd,
    env: ports.env,
    log,
    auth: auth?.(server),
    fetch,
    prepare: (client) => answerRequests(client, { server, router: calls.router, onLog: (line) => log.note(line) }),
    restart$,
  }).pipe(
    tap(update),
    finalize(() => {
      hasEnded = true
      present = stopped(present)
      onEnd()
    }),
    takeUntil(closed$),
  )
  const shared$ = supervised$.pipe(shareUntil(() => merge(timer(graceMs), closed$)))
  // a session that has left must not start the server again
  const state$ = defer(() => (hasEnded ? of(present) : shared$)).pipe(map((state) => (hasEnded ? present : state)))
  return {
    server,
    cwd: ports.cwd,
    state$,
    peer: serverPeer({ server, state$, calls, present: () => present }),
    calls,
    log,
    remembered: () => present.lists ?? memory.load(key),
    get present() {
      return present
    },
    restart: () => restart$.next(),
  }
}

function reportMemory(
  failure: Failure,
  { server, log, calls }: Pick<SharedConnection, 'server' | 'log' | 'calls'>,
): void {
  const message = notRemembered(failure)
  log.note(message)
  calls.notify({ server: server.name, message })
}

/** For people: the next session only waits for the server's own lists. */
export function notRemembered({ message }: Failure): string {
  return `Its tools could not be remembered for the next session: ${message}`
}

/** Shares the source with its last value, until `ending` emits after the last subscriber has left. */
function shareUntil<Value>(ending: () => Observable<unknown>): MonoTypeOperatorFunction<Value> {
  return share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: () => ending().pipe(take(1)) })
}

function stopped({ status: { server, restarts }, lists }: ServerState): ServerState {
  return { status: { server, state: 'stopped', restarts }, ...(lists === undefined ? {} : { lists }) }
}
