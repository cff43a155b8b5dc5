// Shares connections between sessions: the first starts a server, the last ends it after a grace.
import {
  EMPTY,
  catchError,
  concat,
  defer,
  finalize,
  forkJoin,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  ReplaySubject,
  share,
  skip,
  Subject,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import { BoundedMap } from '../../streams/values/bounded-map.ts'
import { openCalls } from '../connection/open-calls.ts'
import type { OpenCalls } from '../connection/open-calls.ts'
import { serverPeer } from '../connection/server-peer.ts'
import type { ServerState } from '../connection/supervise-server.ts'
import type { McpMemory } from '../contract/mcp-hub.ts'
import type { McpLists, McpPeer } from '../contract/mcp-peer.ts'
import type { McpClientPorts } from '../contract/mcp-requests.ts'
import type { McpServer } from '../contract/mcp-server.ts'
import type { McpAuth } from '../transport/remote-transport.ts'
import { serverLog } from '../transport/server-log.ts'
import type { ServerLog } from '../transport/server-log.ts'
import { connectionKey, memoryKey } from './connection-keys.ts'

/** Milliseconds in which a session opens before servers whose tools are known start beside its first request. */
const startDelayMs = 100

/** Servers whose logs stay. */
const logLimit = 100

/** How requests to servers at addresses are signed in. */
export interface ServerAccounts {
  readonly authFor: (server: McpServer) => McpAuth | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
}

export interface ConnectionsOptions {
  /** Signs in to servers; emits once, and is subscribed to when a server starts. Default: a demand for a sign-in is an error. */
  readonly accounts$?: Observable<ServerAccounts> | undefined
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

export const noAccounts: ServerAccounts = { authFor: () => undefined }

interface CreateOptions extends ConnectionsOptions {
  readonly server: McpServer
  readonly ports: McpClientPorts
  readonly closed$: Observable<void>
  readonly onEnd: () => void
}

function createConnection({ server, ports, closed$, onEnd, ...options }: CreateOptions): SharedConnection {
  const { accounts$ = of(noAccounts), memory, graceMs = 2_000 } = options
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
  const { cwd, env } = ports
  const start = { server, cwd, env, log, restart$, router: calls.router }
  const loaded$ = defer(() => forkJoin([import('./start-mcp-server.ts'), accounts$]))
  const supervised$ = loaded$.pipe(
    mergeMap(([{ startServer }, { authFor, fetch }]) => startServer({ ...start, auth: authFor(server), fetch })),
    catchError((thrown: unknown) => of(present, failedState(server, thrown))),
  )
  const started$ = startLater(present, supervised$, memory.load(key) === undefined ? 0 : startDelayMs)
  const present$ = started$.pipe(
    tap(update),
    finalize(() => {
      hasEnded = true
      present = stopped(present)
      onEnd()
    }),
    takeUntil(closed$),
  )
  const shared$ = present$.pipe(shareUntil(() => merge(timer(graceMs), closed$)))
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

/** `starting` at once; `supervised$` begins with the same later. */
function startLater(
  starting: ServerState,
  supervised$: Observable<ServerState>,
  delayMs: number,
): Observable<ServerState> {
  const delay$ = delayMs === 0 ? EMPTY : timer(delayMs).pipe(ignoreElements())
  return concat(of(starting), delay$, supervised$.pipe(skip(1)))
}

/** Shares the source with its last value, until `ending` emits after the last subscriber has left. */
function shareUntil<Value>(ending: () => Observable<unknown>): MonoTypeOperatorFunction<Value> {
  return share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: () => ending().pipe(take(1)) })
}

/** Its code or the accounts could not be loaded. */
function failedState({ name }: McpServer, thrown: unknown): ServerState {
  return { status: { server: name, state: 'failed', error: Failure.from(thrown).message, restarts: 0 } }
}

function stopped({ status: { server, restarts }, lists }: ServerState): ServerState {
  return { status: { server, state: 'stopped', restarts }, ...(lists === undefined ? {} : { lists }) }
}
