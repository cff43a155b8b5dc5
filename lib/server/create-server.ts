// A server holds sessions and serves any number of connections; sessions go on without clients until it closes.
import { ReplaySubject, defer, finalize, takeUntil } from 'rxjs'
import type { Observable } from 'rxjs'
import { behavior } from '../streams/rx/behavior.ts'
import type { BehaviorHandle } from '../streams/rx/behavior.ts'
import type { ServerBackend } from '../services/contract/server-backend.ts'
import { busySession } from './sessions/idle-eviction.ts'
import { connection } from './connection/connection.ts'
import { handlers } from './connection/dispatch.ts'
import { helloFrame } from './protocol/frame.ts'
import { lineLimit } from './protocol/transport.ts'
import { quietFor } from './sessions/idle-eviction.ts'
import type { ServerContext } from './connection/request-context.ts'
import { serverStatus } from './connection/request-context.ts'
import type { ServerPlace } from './connection/request-context.ts'
import { createSessions, unansweredLimit } from './sessions/sessions.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { Transport } from './protocol/transport.ts'

export interface ServerOptions extends ServerPlace {
  /** The sessions, stores, settings, keys and models that the server offers. */
  readonly host: ServerBackend
  /** What hello tells. */
  readonly version: string
  /** Told by hello too: which build of that version it is. Default: it does not say. */
  readonly build?: string | undefined
  /**
   * Milliseconds (below 2³¹) without client, run, job, open question and unanswered command after which a session that is kept
   * on the disk leaves memory; whoever names it again finds it as it was. 0: none does. Default 300,000.
   */
  readonly restAfterMs?: number | undefined
}

const usualRest = 300_000

export interface Server {
  /** Serves a client until either end closes; the transport is closed then, at once where the server has ended. */
  connect(transport: Transport): void
  /**
   * Opens no more sessions, closes all (a run ends with `server_shutdown`), then ends every connection. Completes when
   * nothing is left behind; fails with the first failure (`storage` …) after that. A second call waits for the same.
   */
  close(): Observable<never>
  /** Emits when every connection is ended, because of `close` or a client's `shutdown`, and completes; replays. */
  readonly ended$: Observable<void>
  /** How many are connected, now and from then on. */
  readonly clients$: Observable<number>
  /** Emits once when there has been neither client nor run, job or open question for so many milliseconds (below 2³¹), and completes. */
  quiet(ms: number): Observable<void>
}

export function createServer({
  host: backend,
  version,
  build,
  restAfterMs = usualRest,
  ...place
}: ServerOptions): Server {
  const sessions = createSessions(backend, { restAfterMs })
  const ended$ = new ReplaySubject<void>(1)
  const clients = behavior(0)
  const built = build === undefined ? {} : { build }
  const server = { name: 'rxpi', version, ...built, pid: process.pid, epoch: serverEpoch() }
  const hello = helloFrame({
    server,
    limits: { lineBytes: lineLimit, sessionCommands: unansweredLimit },
    capabilities: Object.keys(handlers),
  })
  const end = (): void => {
    ended$.next()
    ended$.complete()
  }
  const status = serverStatus(server, place, () => ({ clients: clients.behavior$.value, sessions: sessions.served }))
  const endWhenClosed = (): void => {
    sessions.close().subscribe({ error: end, complete: end })
  }
  const context: ServerContext = { backend, sessions, hello, status, end: endWhenClosed }
  return {
    connect(transport) {
      const close = (): void => {
        transport.close()
      }
      counted(connection(transport, context), clients).pipe(takeUntil(ended$)).subscribe({
        // the other end is gone, or was told why
        error: close,
        complete: close,
      })
    },
    close() {
      return sessions.close().pipe(finalize(end))
    },
    ended$: ended$.asObservable(),
    clients$: clients.behavior$,
    quiet: (ms) => quietFor({ clients$: clients.behavior$, running: () => runsOf(sessions), ms }),
  }
}

/** The connection, counted while it is subscribed. */
function counted(connection$: Observable<never>, { behavior$, set }: BehaviorHandle<number>): Observable<never> {
  return defer(() => {
    set(behavior$.value + 1)
    return connection$.pipe(
      finalize(() => {
        set(behavior$.value - 1)
      }),
    )
  })
}

function runsOf({ served }: Sessions): Observable<unknown>[] {
  return [...served].map(busySession).filter((busy$) => busy$ !== undefined)
}

// Each life of a server has a name of its own, by which its clients see that it has been started anew.

/**
 * 10 letters and digits. They need not be hard to guess, only others every time, so they are not drawn from `crypto`: that takes 4 ms
 * to load, which a server has not to do before it listens.
 */
export function serverEpoch(): string {
  return Math.random().toString(36).slice(2, 12).padEnd(10, '0')
}
