// A client for a command that looks on for long: a connection that is lost is made again, and people are told.
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

/** In a row: with their delays some 5 s. Who stops a server does not wait for its onlookers. */
const attempts = 6

/**
 * Emits once there is a server, which it starts where there is none, and completes; the client is its subscriber's to close. A
 * server that ends later is waited for, not started: after 6 attempts the client gives up, with why.
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
      report(stderr, `the connection is lost (${state.failure.message}); trying again`)
    }
    if (state.status !== 'connected') return
    if (isLost)
      report(stderr, state.restarted ? 'connected again, to a server that was started anew' : 'connected again')
    isLost = false
  })
}

// The server that a front end uses: the one that runs at its socket, or one that it starts in the background.

/** Emits a client, which is its subscriber's to close, and completes; what is started is said on stderr. See `connectOrStart`. */
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
