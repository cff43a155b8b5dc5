// Connects to the server at a socket, after checking that only this user can have put it there.
import { map, Observable, defer, throwError } from 'rxjs'
import { splitLines } from '../protocol/split-lines.ts'
import { createStreamTransport } from '../protocol/stream-transport.ts'
import type { Transport } from '../protocol/transport.ts'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { systemErrno } from '../../streams/values/system-error.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { checkSocketFolder, checkSocket } from './check-socket.ts'
import { namedSocketPath } from './socket-path.ts'

/**
 * Cold: each subscription connects once, emits when that is done, and completes; the subscriber closes the transport.
 * Unsubscribing before that cancels it. Fails with `no_server`, `unsafe_socket`, or `bad_request` for a path that no
 * socket can have.
 */
export function connectSocket(path: string): Observable<Transport> {
  return dialSocket(path).pipe(map((socket) => createStreamTransport(socket, {}, splitLines())))
}

/**
 * Cold: each subscription connects once, emits when that is done, and completes; the socket, which may be half open,
 * belongs to the subscriber, which closes it and handles its errors. Unsubscribing before that cancels it. Fails with
 * `no_server`, `unsafe_socket`, or `bad_request` for a path that no socket can have.
 */
export function dialSocket(socket: string): Observable<Socket> {
  return defer(() => {
    const path = namedSocketPath(socket)
    return checkSocketFolder(path) && checkSocket(path) ? connectTo(path) : throwError(() => noServer(path))
  })
}

function connectTo(path: string): Observable<Socket> {
  return new Observable((subscriber) => {
    const socket = connect({ path, allowHalfOpen: true })
    let isEmitted = false
    const fail = (cause: Error): void => {
      subscriber.error(noServer(path, cause))
    }
    socket.once('error', fail)
    socket.once('connect', () => {
      isEmitted = true
      socket.off('error', fail)
      subscriber.next(socket)
      subscriber.complete()
    })
    return () => {
      if (!isEmitted) socket.destroy()
    }
  })
}

function noServer(path: string, cause?: Error): Failure {
  const isAbsent = ['ENOENT', 'ECONNREFUSED', undefined].includes(systemErrno(cause))
  const why = isAbsent ? '' : ` (${describeThrown(cause)})`
  const message = `No server listens at ${path}${why}; start one with rxpi serve`
  return new Failure('no_server', message, { cause, data: { socket: path } })
}
