// A client for a command that looks on for long: a connection that is lost is made again, and people are told.
import { map, takeLast } from 'rxjs'
import type { Observable } from 'rxjs'
import { connectSocket } from '../../lib/server/socket/connect-socket.ts'
import { reconnectingClient } from '../../lib/server/client/reconnecting-client.ts'
import type { ReconnectingClient } from '../../lib/server/client/reconnecting-client.ts'
import { tell } from '../process/progress.ts'
import { usualServer } from './usual-server.ts'
import type { ProcessWorld } from '../process/world.ts'

/** In a row: with their delays some 5 s. Who stops a server does not wait for its onlookers. */
const attempts = 6

/**
 * Emits once there is a server, which it starts where there is none, and completes; the client is its subscriber's to close. A
 * server that ends later is waited for, not started: after 6 attempts the client gives up, with why.
 */
export function lastingClient(socket: string, world: ProcessWorld): Observable<ReconnectingClient> {
  return usualServer(socket, world).pipe(
    takeLast(1),
    map((first) => {
      first.close()
      const client = reconnectingClient({ open: () => connectSocket(socket), attempts })
      tellChanges(client, world)
      return client
    }),
  )
}

function tellChanges({ connection$ }: ReconnectingClient, { stderr }: Pick<ProcessWorld, 'stderr'>): void {
  let isLost = false
  connection$.subscribe((state) => {
    if (state.status === 'reconnecting' && !isLost) {
      isLost = true
      tell(stderr, `the connection is lost (${state.failure.message}); trying again`)
    }
    if (state.status !== 'connected') return
    if (isLost) tell(stderr, state.restarted ? 'connected again, to a server that was started anew' : 'connected again')
    isLost = false
  })
}
