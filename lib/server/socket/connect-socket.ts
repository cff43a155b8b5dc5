// Lines to and from the server at a socket that was looked at first.
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import { dialSocket } from './dial-socket.ts'
import { streamTransport } from '../protocol/stream-transport.ts'
import type { Transport } from '../protocol/transport.ts'

/**
 * Cold: each subscription connects once, emits when that is done, and completes; the transport is its subscriber's to close.
 * Unsubscribing before that gives it up. Fails with `no_server`, `unsafe_socket`, or `bad_request` for a path that no socket
 * may have.
 */
export function connectSocket(path: string): Observable<Transport> {
  return dialSocket(path).pipe(map((socket) => streamTransport(socket)))
}
