// Whether anybody listens at a socket, and who: found by connecting, for what a file says may be long over.
import { connect } from 'node:net'
import { catchError, defaultIfEmpty, defer, map, merge, of, take, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { fromReadable } from '../../streams/rx/from-readable.ts'
import type { HelloFrame } from '../protocol/frame.ts'
import { lineFramer } from '../protocol/line-framer.ts'
import { serverFrame } from '../protocol/server-frame.ts'
import type { IncomingLine } from '../protocol/transport.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { checkSocketFolder, checkSocket } from './check-socket.ts'
import { socketPath } from './socket-path.ts'
import { socketHolder } from '../../services/locks/socket-lock.ts'

export type ServerProbe =
  /** Nobody listens, or nothing is there. */
  | { readonly alive: false }
  /** Without `server` where what listens does not greet in time, or does not speak the protocol. */
  | { readonly alive: true; readonly server?: HelloFrame['server'] }

/** Emits once and completes, after at most `limitMs` (default 2,000); never fails. The socket must have been checked. */
export function probeServer(path: string, limitMs = 2_000): Observable<ServerProbe> {
  const silent: ServerProbe = { alive: true }
  return merge(greeting(path), timer(limitMs).pipe(map(() => silent))).pipe(take(1))
}

function greeting(path: string): Observable<ServerProbe> {
  return defer(() => fromReadable(connect(path))).pipe(
    lineFramer({ limit: 65_536 }),
    map(greeted),
    defaultIfEmpty<ServerProbe, ServerProbe>({ alive: true }), // it took the connection and ended it
    catchError((error: unknown) => of({ alive: !isNobody(error) })),
  )
}

function greeted(line: IncomingLine): ServerProbe {
  try {
    const frame = 'text' in line ? serverFrame(line.text) : undefined
    return frame?.type === 'hello' ? { alive: true, server: frame.server } : { alive: true }
  } catch {
    return { alive: true } // something else listens there
  }
}

function isNobody(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNREFUSED' || error.code === 'ENOENT')
}

// What `rxpi doctor` says of the socket: where a client looks, whether it is safe, and who listens there.

type Check = ResultOf<'doctor'>['checks'][number]

/** Emits once, after 2 s at most, and never fails. @param env of who asks */
export function checkServerSocket(env: Readonly<Record<string, string>>): Observable<Check> {
  return defer(() => {
    const path = socketPath({ env })
    const asked$ = checkSocketFolder(path) && checkSocket(path) ? probeServer(path) : of<ServerProbe>({ alive: false })
    return asked$.pipe(map((asked) => `${path}: ${heard(asked)}`))
  }).pipe(
    map((message): Check => ({ name: 'socket', ok: true, required: false, message })),
    catchError((error: unknown) =>
      of<Check>({ name: 'socket', ok: false, required: false, message: Failure.from(error).message }),
    ),
  )
}

function heard(asked: ServerProbe): string {
  if (!asked.alive) return 'no server runs'
  const { server } = asked
  return server === undefined ? 'who listens does not greet' : `process ${server.pid}, version ${server.version}`
}

// A server lives on where somebody removed its socket, as programs do that tidy /tmp; then its lock alone says who it is.

/**
 * That a process holds the place of a socket at which nobody could be reached, as a failure with its `pid` among the data;
 * undefined where none that lives does. @throws Failure `storage`
 */
export function findUnlinkedServer(socket: string): Failure | undefined {
  const pid = socketHolder(socket)
  if (pid === undefined) return undefined
  const message = `Process ${pid} serves at ${socket}, but its socket is gone or it does not listen yet; where it stays so, kill ${pid} ends it in order`
  return new Failure('no_server', message, { data: { socket, pid } })
}
