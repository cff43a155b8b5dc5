// A command that talks to the server which runs: over its socket, and no longer than the command itself.
import { finalize, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { connect } from '../../lib/server/client/client.ts'
import type { Client } from '../../lib/server/client/client.ts'
import { connectSocket } from '../../lib/server/socket/connect-socket.ts'

/** What `work` makes of a client of the server at `socket`, which is closed with it. Fails with `no_server`, `unsafe_socket` … */
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
