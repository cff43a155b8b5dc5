// Connects to the running server for the duration of one command.
import { finalize, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { connect } from '../../lib/server/client/client.ts'
import type { Client } from '../../lib/server/client/client.ts'
import { connectSocket } from '../../lib/server/socket/connect-socket.ts'

/**
 * Emits the values of `work` with a client of the server, and closes the client. Fails with `no_server`,
 * `unsafe_socket` …
 */
export function reachServer<Value>(socket: string, work: (client: Client) => Observable<Value>): Observable<Value> {
  return connectSocket(socket).pipe(
    mergeMap((transport) => {
      const client = connect(transport)
      return work(client).pipe(
        finalize(() => {
          client.close()
        }),
      )
    }),
  )
}
