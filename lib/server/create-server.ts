// Creates a server: it holds sessions and serves any number of connections.
// Guarantees: sessions go on without clients until the server closes.
import { ReplaySubject, defer, finalize, takeUntil } from 'rxjs'
import type { Observable } from 'rxjs'
import { behavior } from '../streams/rx/behavior.ts'
import type { BehaviorHandle } from '../streams/rx/behavior.ts'
import { createProgramBackend, machineCommands } from '../services/index.ts'
import type { ProgramSessions } from '../services/index.ts'
import type { ServerBackend } from '../services/contract/server-backend.ts'
import type { CommandType } from '../streams/commands/command.ts'
import { Failure } from '../streams/values/failure.ts'
import { activityEnd, whenIdle } from './sessions/idle-eviction.ts'
import { connection } from './connection/connection.ts'
import { handlers } from './connection/dispatch.ts'
import { helloFrame } from './protocol/frame.ts'
import { lineLimit } from './protocol/transport.ts'
import type { ServerContext } from './connection/request-context.ts'
import { serverStatus } from './connection/server-status.ts'
import type { ServerPlace } from './connection/server-status.ts'
import { createSessions, unansweredLimit } from './sessions/sessions.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { Transport } from './protocol/transport.ts'

interface CommonOptions extends ServerPlace {
  /** In `hello`. Default: the version of rxpi. */
  readonly version?: string
  /** In `hello` too: identifies the build of that version. Default: absent. */
  readonly build?: string | undefined
  /**
   * Milliseconds (below 2³¹) without client, run, job, open question and unanswered command after which a session with
   * a log leaves memory; the next command opens it again as it was. 0: never. Default 10,000; with `sessions`: 0.
   */
  readonly restAfterMs?: number | undefined
}

/** A server of a program's own `sessions`, or of a `host`, such as this machine. */
export type ServerOptions = CommonOptions &
  (
    | {
        /** The sessions, stores, settings, keys and models that the server offers. */
        readonly host: ServerBackend
        readonly sessions?: undefined
      }
    | {
        /**
         * Sessions that the program makes itself; commands that need more than an open session fail with `bad_request`.
         */
        readonly sessions: ProgramSessions
        readonly host?: undefined
      }
  )

/** The package's version; a source file that is run as it stands has none. */
export const packageVersion = typeof RXPI_VERSION === 'undefined' ? 'development' : RXPI_VERSION

/** An idle session holds a descriptor and a lock; opening it again takes milliseconds. */
const defaultRestMs = 10_000

/** Serves sessions to the clients that are connected to it. It listens nowhere by itself: see `serve`. */
export interface Server {
  /** Serves a client until either end closes, then closes the transport; at once if the server has ended. */
  connect(transport: Transport): void
  /**
   * Opens no more sessions, closes all (a run ends with `server_shutdown`), then ends every connection. Completes when
   * all is closed; fails with the first failure (`storage` …) after that. A second call waits for the same.
   */
  close(): Observable<never>
  /** Emits when every connection is ended, because of `close` or a client's `shutdown`, and completes; replays. */
  readonly ended$: Observable<void>
  /** Adds the address of a gateway to `server_status`; the returned function removes it. */
  announceHttp(url: string): () => void
  /** How many clients are connected, now and from then on. */
  readonly clients$: Observable<number>
  /** Emits once, after so many milliseconds (below 2³¹) without client, run, job and open question, and completes. */
  quiet(ms: number): Observable<void>
}

/** @throws Failure `bad_request` without sessions, or for a `restAfterMs` of sessions that cannot be opened again */
export function createServer(options: ServerOptions): Server {
  const { host, sessions: program, version = packageVersion, build, restAfterMs, ...address } = options
  const { backend, refused } =
    host === undefined ? programParts(program, restAfterMs) : { backend: host, refused: none }
  const sessions = createSessions(backend, { restAfterMs: restAfterMs ?? (host === undefined ? 0 : defaultRestMs) })
  const ended$ = new ReplaySubject<void>(1)
  const clients = behavior(0)
  const buildField = build === undefined ? {} : { build }
  const server = { name: 'rxpi', version, ...buildField, pid: process.pid, epoch: serverEpoch() }
  const hello = helloFrame({
    server,
    limits: { lineBytes: lineLimit, sessionCommands: unansweredLimit },
    capabilities: Object.keys(handlers).filter((command) => !(refused as ReadonlySet<string>).has(command)),
  })
  const end = (): void => {
    ended$.next()
    ended$.complete()
  }
  const urls = new Set<string>()
  const status = serverStatus(server, address, () => ({
    clients: clients.behavior$.value,
    sessions: sessions.served,
    http: [...urls][0],
  }))
  const endWhenClosed = (): void => {
    sessions.shutDown().subscribe({ error: end, complete: end })
  }
  const context: ServerContext = { backend, sessions, hello, refused, status, end: endWhenClosed }
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
    announceHttp: (url) => {
      urls.add(url)
      return () => void urls.delete(url)
    },
    clients$: clients.behavior$,
    quiet: (ms) => whenIdle({ clients$: clients.behavior$, listRunning: () => listRunning(sessions), ms }),
  }
}

const none: ReadonlySet<CommandType> = new Set()

function programParts(program: ProgramSessions | undefined, restAfterMs = 0) {
  if (typeof program?.create !== 'function')
    throw new Failure('bad_request', 'createServer: give sessions, an object with a function create')
  if (restAfterMs !== 0 && program.open === undefined)
    throw new Failure(
      'bad_request',
      'createServer: restAfterMs closes idle sessions, so sessions needs a function open',
    )
  const refused = new Set<CommandType>([
    ...machineCommands,
    ...(program.list === undefined ? ['list_sessions' as const] : []),
  ])
  return { backend: createProgramBackend(program), refused }
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
 * Returns 10 letters and digits, new at each start of a server, by which clients notice a restart. They need not be
 * hard to guess, so `crypto`, which takes 4 ms to load, is not used.
 */
export function serverEpoch(): string {
  return Math.random().toString(36).slice(2, 12).padEnd(10, '0')
}
