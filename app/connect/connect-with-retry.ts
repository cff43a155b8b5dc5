// Connects a long-running command to the server, reconnects after a loss, and reports both on stderr.
import { map, takeLast } from 'rxjs'
import type { Observable } from 'rxjs'
import { connectSocket } from '../../lib/server/socket/connect-socket.ts'
import { reconnectingClient } from '../../lib/server/client/reconnecting-client.ts'
import type { ReconnectingClient } from '../../lib/server/client/reconnecting-client.ts'
import { report } from '../process/progress.ts'
import type { ProcessWorld } from '../process/world.ts'
import type { Client } from '../../lib/server/client/client.ts'
import { connectOrStart } from '../../lib/server/launch/connect-or-start.ts'
import { build } from '../process/build.ts'
import { serverCommand } from './server-command.ts'
import { version } from '../process/version.ts'

/** Attempts in a row, about 5 s with their delays: a stopped server must not keep its observers. */
const attempts = 6

/**
 * Emits a client once and completes; starts a server if none runs. The caller closes the client. Waits for a server
 * that ends later, but does not start it; gives up with a Failure after 6 attempts.
 */
export function connectWithRetry(socket: string, world: ProcessWorld): Observable<ReconnectingClient> {
  return connectServer(socket, world).pipe(
    takeLast(1),
    map((first) => {
      first.close()
      const client = reconnectingClient({ open: () => connectSocket(socket), attempts })
      reportConnection(client, world)
      return client
    }),
  )
}

function reportConnection({ connection$ }: ReconnectingClient, { stderr }: Pick<ProcessWorld, 'stderr'>): void {
  let isLost = false
  connection$.subscribe((state) => {
    if (state.status === 'reconnecting' && !isLost) {
      isLost = true
      report(stderr, `lost the connection (${state.failure.message}); reconnecting`)
    }
    if (state.status !== 'connected') return
    if (isLost) report(stderr, state.restarted ? 'connected again to a restarted server' : 'connected again')
    isLost = false
  })
}

/**
 * Connects to the server at the socket, or starts one in the background. Emits a client and completes; the caller
 * closes it. Reports a start on stderr. See `connectOrStart`.
 */
function connectServer(socket: string, { env, stderr }: Pick<ProcessWorld, 'env' | 'stderr'>): Observable<Client> {
  return connectOrStart({
    socket,
    version,
    build,
    env,
    command: serverCommand(socket),
    onNotice: (message) => {
      report(stderr, message)
    },
  })
}
