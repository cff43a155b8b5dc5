// Keeps a client connected: starts a crashed server at once, and a stopped one when it is needed.
import { existsSync } from 'node:fs'
import {
  BehaviorSubject,
  EMPTY,
  catchError,
  defer,
  exhaustMap,
  filter,
  finalize,
  interval,
  merge,
  mergeMap,
  take,
  throwError,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { connectSocket } from '../../lib/server/socket/connect-socket.ts'
import { reconnectingClient } from '../../lib/server/client/reconnecting-client.ts'
import type { ConnectOptions, ReconnectingClient } from '../../lib/server/client/reconnecting-client.ts'
import { findUnlinkedServer } from '../../lib/server/socket/probe-server.ts'
import type { Transport } from '../../lib/server/protocol/transport.ts'
import { Failure } from '../../lib/streams/values/failure.ts'

export interface OnDemandOptions extends Omit<ConnectOptions, 'open'> {
  readonly socket: string
  /** Starts a server: emits its connection once. */
  start(): Observable<Transport>
  /** Called once for each server that was stopped. */
  onStopped(): void
}

/** Milliseconds between two looks whether another process has started a server. */
const lookMs = 1_000

/**
 * A client of the server at the socket. A server that ended in order has removed its socket and lock: a person stopped it. It
 * stays stopped until a request waits for it, or another process starts one. A server that was killed is started again at once.
 */
export function onDemandClient({ socket, start, onStopped, ...options }: OnDemandOptions): ReconnectingClient {
  const waiting$ = new BehaviorSubject(0)
  let isReported = false
  const whenNeeded$ = waiting$.pipe(
    filter((count) => count > 0),
    take(1),
    mergeMap(start),
  )
  const reach$ = (): Observable<Transport> =>
    connectSocket(socket).pipe(
      catchError((error: unknown) => {
        const failure = Failure.from(error)
        // a process that holds the lock ends, or is about to listen: the next attempt sees which
        if (failure.code !== 'no_server' || findUnlinkedServer(socket) !== undefined) return throwError(() => failure)
        if (!wasStopped(socket)) return start()
        if (!isReported) onStopped()
        isReported = true
        return merge(whenNeeded$, otherServer(socket)).pipe(take(1))
      }),
    )
  const client = reconnectingClient({ ...options, open: () => defer(reach$) })
  client.connection$.subscribe(({ status }) => {
    if (status === 'connected') isReported = false
  })
  return {
    ...client,
    request: (command, requestOptions) =>
      defer(() => {
        waiting$.next(waiting$.value + 1)
        return client.request(command, requestOptions).pipe(finalize(() => waiting$.next(waiting$.value - 1)))
      }),
  }
}

/** A server that was killed leaves both files. */
function wasStopped(socket: string): boolean {
  return !existsSync(socket) && !existsSync(`${socket}.lock`)
}

/** Emits the connection to a server that another process has started. */
function otherServer(socket: string): Observable<Transport> {
  return interval(lookMs).pipe(
    exhaustMap(() =>
      connectSocket(socket).pipe(
        catchError((error: unknown) => {
          const failure = Failure.from(error)
          return failure.code === 'no_server' ? EMPTY : throwError(() => failure)
        }),
      ),
    ),
  )
}
