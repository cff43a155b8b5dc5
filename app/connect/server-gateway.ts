// Finds the address of the running server's gateway.
import { catchError, defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { socketPath } from '../../lib/server/socket/socket-path.ts'
import { reachServer } from './reach-server.ts'
import { responseTimeoutMs } from './server-keys.ts'

/** Emits once and never fails: undefined without a server, and for a server without a gateway. */
export function serverGateway(env: Readonly<Record<string, string>>): Observable<string | undefined> {
  return defer(() =>
    reachServer(socketPath({ env }), (client) =>
      client.request({ type: 'server_status' }, { timeoutMs: responseTimeoutMs }),
    ),
  ).pipe(
    map(({ http }) => http),
    catchError(() => of(undefined)), // the check of the socket reports a server that does not answer
  )
}
