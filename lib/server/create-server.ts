// Creates a server: it holds sessions and serves any number of connections.
// Guarantees: sessions go on without clients until the server closes.
import { ReplaySubject, defer, finalize, takeUntil } from 'rxjs'
import type { Observable } from 'rxjs'
import { behavior } from '../streams/rx/behavior.ts'
import type { BehaviorHandle } from '../streams/rx/behavior.ts'
import type { ServerBackend } from '../services/contract/server-backend.ts'
import { activityEnd, whenIdle } from './sessions/idle-eviction.ts'
import { connection } from './connection/connection.ts'
import { handlers } from './connection/dispatch.ts'
import { helloFrame } from './protocol/frame.ts'
import { lineLimit } from './protocol/transport.ts'
import type { ServerContext, ServerPlace } from './connection/request-context.ts'
import { serverStatus } from './connection/request-context.ts'
import { createSessions, unansweredLimit } from './sessions/sessions.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { Transport } from './protocol/transport.ts'

export interface ServerOptions extends ServerPlace {
  /** The sessions, stores, settings, keys and models that the server offers. */
  readonly host: ServerBackend
  /** In `hello`. */
  readonly version: string
  /** In `hello` too: identifies the build of that version. Default: absent. */
  readonly build?: string | undefined
  /**
   * Milliseconds (below 2³¹) without client, run, job, open question and unanswered command after which a session with a log
   * leaves memory; the next command opens it again as it was. 0: never. Default 10,000.
   */
  readonly restAfterMs?: number | undefined
}

/** An idle session holds a descriptor and a lock; opening it again takes milliseconds. */
const defaultRestMs = 10_000

export interface Server {
  /** Serves a client until either end closes, then closes the transport; at once if the server has ended. */
  connect(transport: Transport): void
  /**
   * Opens no more sessions, closes all (a run ends with `server_shutdown`), then ends every connection. Completes when all is
   * closed; fails with the first failure (`storage` …) after that. A second call waits for the same.
   */
  close(): Observable<never>
  /** Emits when every connection is ended, because of `close` or a client's `shutdown`, and completes; replays. */
  readonly ended$: Observable<void>
  /** How many clients are connected, now and from then on. */
  readonly clients$: Observable<number>
  /** Emits once, after so many milliseconds (below 2³¹) without client, run, job and open question, and completes. */
  quiet(ms: number): Observable<void>
}

export function createServer({
  host: backend,
  version,
  build,
  restAfterMs = defaultRestMs,
  ...address
}: ServerOptions): Server {
  const sessions = createSessions(backend, { restAfterMs })
  const ended$ = new ReplaySubject<void>(1)
  const clients = behavior(0)
  const buildField = build === undefined ? {} : { build }
  const server = { name: 'rxpi', version, ...buildField, pid: process.pid, epoch: serverEpoch() }
  const hello = helloFrame({
    server,
    limits: { lineBytes: lineLimit, sessionCommands: unansweredLimit },
    capabilities: Object.keys(handlers),
  })
  const end = (): void => {
    ended$.next()
    ended$.complete()
  }
  const status = serverStatus(server, address, () => ({ clients: clients.behavior$.value, sessions: sessions.served }))
  const endWhenClosed = (): void => {
    sessions.shutDown().subscribe({ error: end, complete: end })
  }
  const context: ServerContext = { backend, sessions, hello, status, end: endWhenClosed }
  return {
    connect(transport) {
      const close = (): void => {
        transport.close()
      }
      countWhileSubscribed(connection(transport, context), clients).pipe(takeUntil(ended$)).subscribe({
        // the client has gone, or got a `status` event with the reason
        error: close,
        complete: close,
      })
    },
    close() {
      return sessions.shutDown().pipe(finalize(end))
    },
    ended$: ended$.asObservable(),
    clients$: clients.behavior$,
    quiet: (ms) => whenIdle({ clients$: clients.behavior$, listRunning: () => listRunning(sessions), ms }),
  }
}

function countWhileSubscribed(
  connection$: Observable<never>,
  { behavior$, set }: BehaviorHandle<number>,
): Observable<never> {
  return defer(() => {
    set(behavior$.value + 1)
    return connection$.pipe(
      finalize(() => {
        set(behavior$.value - 1)
      }),
    )
  })
}

function listRunning({ served }: Sessions): Observable<unknown>[] {
  return [...served].map(activityEnd).filter((ended$) => ended$ !== undefined)
}

/**
 * Returns 10 letters and digits, new at each start of a server, by which clients notice a restart. They need not be hard to
 * guess, so `crypto`, which takes 4 ms to load, is not used.
 */
export function serverEpoch(): string {
  return Math.random().toString(36).slice(2, 12).padEnd(10, '0')
}
