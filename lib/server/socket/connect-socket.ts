// Lines to and from the server at a socket that was looked at first.
import { map, Observable, defer, throwError } from 'rxjs'
import { splitLines } from '../protocol/split-lines.ts'
import { createStreamTransport } from '../protocol/stream-transport.ts'
import type { Transport } from '../protocol/transport.ts'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { Failure } from '../../streams/values/failure.ts'
import { checkSocketFolder, checkSocket } from './check-socket.ts'
import { socketPath } from './socket-path.ts'

/**
 * Cold: each subscription connects once, emits when that is done, and completes; the transport is its subscriber's to close.
 * Unsubscribing before that gives it up. Fails with `no_server`, `unsafe_socket`, or `bad_request` for a path that no socket
 * may have.
 */
export function connectSocket(path: string): Observable<Transport> {
  return dialSocket(path).pipe(map((socket) => createStreamTransport(socket, {}, splitLines())))
}

// A client looks at the socket and its folder before a byte is sent, and connects only to what this user alone can have put there.

/**
 * Cold: each subscription connects once, emits when that is done, and completes; the socket, which may be half open, is its
 * subscriber's to close and to watch for errors. Unsubscribing before that gives it up. Fails with `no_server`,
 * `unsafe_socket`, or `bad_request` for a path that no socket may have.
 */
export function dialSocket(given: string): Observable<Socket> {
  return defer(() => {
    const path = socketPath({ env: {}, asked: given })
    return checkSocketFolder(path) && checkSocket(path) ? connected(path) : throwError(() => nobody(path))
  })
}

function connected(path: string): Observable<Socket> {
  return new Observable((subscriber) => {
    const socket = connect({ path, allowHalfOpen: true })
    let isGiven = false
    const fail = (cause: Error): void => {
      subscriber.error(nobody(path, cause))
    }
    socket.once('error', fail)
    socket.once('connect', () => {
      isGiven = true
      socket.off('error', fail)
      subscriber.next(socket)
      subscriber.complete()
    })
    return () => {
      if (!isGiven) socket.destroy()
    }
  })
}

function nobody(path: string, cause?: Error): Failure {
  const why = cause === undefined ? '' : ` (${cause.message})`
  const message = `No server listens at ${path}${why}; start one with rxpi serve`
  return new Failure('no_server', message, { cause, data: { socket: path } })
}
