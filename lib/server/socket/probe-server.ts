// Finds the server at a socket by connecting to it, and reports it to `rxpi doctor` and `rxpi status`.
import { connect } from 'node:net'
import { catchError, defaultIfEmpty, defer, map, merge, of, take, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { fromReadable } from '../../streams/rx/from-readable.ts'
import type { HelloFrame } from '../protocol/frame.ts'
import { lineFramer } from '../protocol/line-framer.ts'
import { parseServerFrame } from '../protocol/server-frame.ts'
import type { IncomingLine } from '../protocol/transport.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { checkSocketFolder, checkSocket } from './check-socket.ts'
import { socketPath } from './socket-path.ts'
import { socketHolder } from '../../services/locks/socket-lock.ts'

export type ServerProbe =
  /** No process listens, or there is no socket. */
  | { readonly alive: false }
  /** Without `server` if the process sends no `hello` in time, or does not speak the protocol. */
  | { readonly alive: true; readonly server?: HelloFrame['server'] }

/**
 * Emits once and completes, after at most `limitMs` (default 2,000); never fails. The caller has checked the socket.
 */
export function probeServer(path: string, limitMs = 2_000): Observable<ServerProbe> {
  const silent: ServerProbe = { alive: true }
  return merge(readHello(path), timer(limitMs).pipe(map(() => silent))).pipe(take(1))
}

function readHello(path: string): Observable<ServerProbe> {
  return defer(() => fromReadable(connect(path))).pipe(
    lineFramer({ limit: 65_536 }),
    map(parseHello),
    defaultIfEmpty<ServerProbe, ServerProbe>({ alive: true }), // the process accepted the connection and ended it
    catchError((error: unknown) => of({ alive: !isUnreachable(error) })),
  )
}

function parseHello(line: IncomingLine): ServerProbe {
  try {
    const frame = 'text' in line ? parseServerFrame(line.text) : undefined
    return frame?.type === 'hello' ? { alive: true, server: frame.server } : { alive: true }
  } catch {
    return { alive: true } // another program listens there
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNREFUSED' || error.code === 'ENOENT')
}

type Check = ResultOf<'doctor'>['checks'][number]

/**
 * The socket's line of `rxpi doctor`: emits once, after 2 s at most, and never fails.
 * @param env the client's environment
 */
export function checkServerSocket(env: Readonly<Record<string, string>>): Observable<Check> {
  return defer(() => {
    const path = socketPath({ env })
    const probe$ = checkSocketFolder(path) && checkSocket(path) ? probeServer(path) : of<ServerProbe>({ alive: false })
    return probe$.pipe(map((probe) => `${path}: ${describe(probe)}`))
  }).pipe(
    map((message): Check => ({ name: 'socket', ok: true, required: false, message })),
    catchError((error: unknown) =>
      of<Check>({ name: 'socket', ok: false, required: false, message: Failure.from(error).message }),
    ),
  )
}

function describe(probe: ServerProbe): string {
  if (!probe.alive) return 'no server runs'
  const { server } = probe
  return server === undefined
    ? 'the process that listens sends no hello'
    : `process ${server.pid}, version ${server.version}`
}

/**
 * Returns a failure with the `pid` of the process that holds the lock of an unreachable socket; undefined if no running
 * process holds it. A server goes on if a program that cleans /tmp removes its socket. @throws Failure `storage`
 */
export function findUnlinkedServer(socket: string): Failure | undefined {
  const pid = socketHolder(socket)
  if (pid === undefined) return undefined
  const message = `Process ${pid} serves at ${socket}, but its socket is gone or it does not listen yet; to end it in order, run kill ${pid}`
  return new Failure('no_server', message, { data: { socket, pid } })
}
