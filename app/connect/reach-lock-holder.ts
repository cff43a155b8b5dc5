// Sends a request to the process that holds a session's lock, and to no other server.
import { catchError, defer, finalize, map, mergeMap, tap, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { connect } from '../../lib/server/client/client.ts'
import type { Client } from '../../lib/server/client/client.ts'
import { connectSocket } from '../../lib/server/socket/connect-socket.ts'
import { socketPath } from '../../lib/server/socket/socket-path.ts'
import type { SocketPathOptions } from '../../lib/server/socket/socket-path.ts'
import { Failure } from '../../lib/streams/values/failure.ts'

export interface HolderResponse<Result> {
  readonly result: Result
  /** The caller closes it. */
  readonly client: Client
}

/**
 * Emits the response of the lock holder. Fails with `locked` if the holder cannot be reached, or like `request`; closes
 * the client then.
 */
export function reachLockHolder<Result>(
  locked: Failure,
  socketOptions: SocketPathOptions,
  request: (client: Client) => Observable<Result>,
): Observable<HolderResponse<Result>> {
  const { pid, socket } = locked.data
  return defer(() => connectSocket(typeof socket === 'string' ? socket : socketPath(socketOptions))).pipe(
    catchError((error: unknown) => throwError(() => unreachableHolder(locked, Failure.from(error)))),
    mergeMap((transport) => {
      const client = connect(transport)
      let isEmitted = false
      return client.hello$.pipe(
        mergeMap(({ server }) => (server.pid === pid ? request(client) : throwError(() => locked))),
        map((result) => ({ result, client })),
        tap(() => (isEmitted = true)),
        finalize(() => {
          if (!isEmitted) client.close()
        }),
      )
    }),
  )
}

/** A missing server adds nothing to the lock's failure; any other reason is appended. */
function unreachableHolder(locked: Failure, failure: Failure): Failure {
  if (failure.code === 'no_server') return locked
  return new Failure(locked.code, `${locked.message} (${failure.message})`, { data: locked.data, cause: failure })
}
