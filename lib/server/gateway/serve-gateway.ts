// Serves the protocol over HTTP and WebSocket to programs that cannot open a Unix socket.
import type { Observable } from 'rxjs'
import type { Server } from '../create-server.ts'
import type { Gateway, GatewayOptions } from './gateway-options.ts'
import { openGateway } from './open-gateway.ts'

/**
 * Emits its address and goes on until unsubscribed, or until the server has ended. Fails with `server_running` if the
 * port is taken, `bad_request` for an invalid address or one that needs `unsafeHost`, and `bad_config` for a token that
 * is too short, or a file of it that others may read.
 */
export function serveGateway(server: Server, options: GatewayOptions): Observable<Gateway> {
  return openGateway(server, options)
}
