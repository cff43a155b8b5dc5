// Keeps one server connected: starts it, reads its lists, starts it again with back-off when it ends.
import {
  asyncScheduler,
  catchError,
  concat,
  concatMap,
  defer,
  map,
  NEVER,
  Observable,
  of,
  repeat,
  scan,
  startWith,
  Subject,
  switchMap,
  tap,
  throwError,
  timeout,
  timer,
} from 'rxjs'
import type { SchedulerLike } from 'rxjs'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { describeThrown, Failure } from '../../streams/values/failure.ts'
import type { McpLists } from '../contract/mcp-peer.ts'
import type { McpStatus } from '../contract/mcp-server.ts'
import { scrubSecrets } from '../transport/scrub-secrets.ts'
import { connectClient } from './connect-client.ts'
import type { Connected, ConnectOptions, FoundRevision } from './connect-client.ts'
import { listsFailure, startTimeoutFailure } from './server-failures.ts'
import { readListAgain, readLists } from './read-lists.ts'
import type { ListName } from './read-lists.ts'
import { planRestart } from './restart-plan.ts'

/** One server at one time. */
export interface ServerState {
  readonly status: McpStatus
  /** Of `ready`. */
  readonly connected?: Connected
  /** Those of the connection, or of the one before. */
  readonly lists?: McpLists
}

export interface SuperviseOptions extends Omit<ConnectOptions, 'onListChanged'> {
  /** Each value connects anew, also after it was given up. */
  readonly restart$: Observable<unknown>
  readonly scheduler?: SchedulerLike
  /** Default: `connectClient`. */
  readonly connect?: typeof connectClient
}

/**
 * Emits `starting` at once, then each change, `ready` again with changed lists. Never completes and never fails; it buffers
 * nothing. Unsubscribing ends the connection.
 */
export function superviseServer(options: SuperviseOptions): Observable<ServerState> {
  return defer(() => {
    const counter = { starts: 0 }
    return options.restart$.pipe(
      startWith(undefined),
      switchMap(() => keepConnected(options, counter)),
      scan((before, state) =>
        'lists' in state || before.lists === undefined ? state : { ...state, lists: before.lists },
      ),
    )
  })
}

interface StartCounter {
  starts: number
}

/** Starts, and starts again after each end, until it is given up. */
function keepConnected(options: SuperviseOptions, counter: StartCounter): Observable<ServerState> {
  const { server, scheduler = asyncScheduler } = options
  return defer(() => {
    const found: FoundRevision = {}
    let ends: readonly number[] = []
    let pause$: Observable<unknown> = NEVER
    const afterEnd = (error: unknown): ServerState => {
      const failure = Failure.from(error)
      const plan = planRestart(ends, scheduler.now())
      pause$ = NEVER
      if (failure.data.status === 401) return stateOf('needs_login', failure)
      if (plan.type === 'give-up' || !failure.recoverable) return stateOf('failed', failure)
      ends = plan.ends
      pause$ = timer(plan.delayMs, scheduler)
      return stateOf('waiting', failure)
    }
    const stateOf = (state: McpStatus['state'], failure?: Failure): ServerState => ({
      status: {
        server: server.name,
        state,
        restarts: Math.max(0, counter.starts - 1),
        ...(failure === undefined ? {} : { error: failure.message }),
      },
    })
    const start$ = defer(() => {
      counter.starts += 1
      const restarts = counter.starts - 1
      return concat(of(stateOf('starting')), connectOnce({ ...options, found }, restarts))
    })
    return start$.pipe(
      catchError((error: unknown) => of(afterEnd(error))),
      repeat({ delay: () => pause$ }),
    )
  })
}

/** Emits `ready`, again with each change of a list, and fails when the connection ends or a start takes too long. */
function connectOnce(options: SuperviseOptions, restarts: number): Observable<ServerState> {
  const { server, connect = connectClient, scheduler = asyncScheduler } = options
  return defer(() => {
    const changes$ = new Subject<ListName>()
    return connect({ ...options, onListChanged: (name) => changes$.next(name) }).pipe(
      switchMap((connected) =>
        listsOf(connected, changes$, options).pipe(
          map((lists) => ({ status: readyStatus(server.name, connected, lists, restarts), connected, lists })),
        ),
      ),
      timeout({
        first: server.startTimeoutMs,
        scheduler,
        with: () => throwError(() => startTimeoutFailure(server, options.log)),
      }),
    )
  })
}

/** The lists, then those with each changed one. A change that cannot be read leaves the lists, with a line in the log. */
function listsOf(
  { client }: Connected,
  changes$: Observable<ListName>,
  { server, log }: SuperviseOptions,
): Observable<McpLists> {
  const reading = (signal: AbortSignal) => ({ timeout: server.startTimeoutMs, signal })
  let lists: McpLists | undefined
  const first$ = fromAbortable((signal) => readLists(client, reading(signal))).pipe(
    catchError((error: unknown) => throwError(() => listsFailure(error, server))),
  )
  const again$ = changes$.pipe(
    concatMap((name) =>
      fromAbortable((signal) => readListAgain(client, lists ?? emptyLists, name, reading(signal))).pipe(
        catchError((error: unknown) => {
          log.note(`the changed list of ${name} could not be read: ${scrubSecrets(describeThrown(error), server)}`)
          return []
        }),
      ),
    ),
  )
  return concat(first$, again$).pipe(tap((read) => (lists = read)))
}

const emptyLists: McpLists = { tools: [], prompts: [], resources: [] }

function readyStatus(server: string, { protocol, pid }: Connected, { tools }: McpLists, restarts: number): McpStatus {
  return {
    server,
    state: 'ready',
    protocol,
    tools: tools.length,
    restarts,
    ...(pid === undefined ? {} : { pid }),
  }
}
