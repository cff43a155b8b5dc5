// Whether anybody listens at a socket, and who: found by connecting, for what a file says may be long over.
import { connect } from 'node:net'
import { catchError, defaultIfEmpty, defer, map, merge, of, take, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { fromReadable } from '../../streams/rx/from-readable.ts'
import type { HelloFrame } from '../protocol/frame.ts'
import { lineFramer } from '../protocol/line-framer.ts'
import { serverFrame } from '../protocol/server-frame.ts'
import type { IncomingLine } from '../protocol/transport.ts'

export type AskedServer =
  /** Nobody listens, or nothing is there. */
  | { readonly alive: false }
  /** Without `server` where what listens does not greet in time, or does not speak the protocol. */
  | { readonly alive: true; readonly server?: HelloFrame['server'] }

/** Emits once and completes, after at most `limitMs` (default 2,000); never fails. The socket must have been checked. */
export function askServer(path: string, limitMs = 2_000): Observable<AskedServer> {
  const silent: AskedServer = { alive: true }
  return merge(greeting(path), timer(limitMs).pipe(map(() => silent))).pipe(take(1))
}

function greeting(path: string): Observable<AskedServer> {
  return defer(() => fromReadable(connect(path))).pipe(
    lineFramer({ limit: 65_536 }),
    map(greeted),
    defaultIfEmpty<AskedServer, AskedServer>({ alive: true }), // it took the connection and ended it
    catchError((error: unknown) => of({ alive: !isNobody(error) })),
  )
}

function greeted(line: IncomingLine): AskedServer {
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
