// Creates a client that stays: finds or starts the server, also after a lost connection.
import { map, takeLast } from 'rxjs'
import type { Observable } from 'rxjs'
import { connectOrStart } from '../../lib/server/launch/connect-or-start.ts'
import type { ConnectOptions, ReconnectingClient } from '../../lib/server/client/reconnecting-client.ts'
import { startServer } from '../../lib/server/launch/start-server.ts'
import type { Transport } from '../../lib/server/protocol/transport.ts'
import { onDemandClient } from './on-demand-client.ts'
import { serverCommand } from './server-command.ts'
import { version } from '../process/version.ts'
import type { ProcessWorld } from '../process/world.ts'

export interface LastingClientOptions {
  readonly socket: string
  readonly env: ProcessWorld['env']
  /** Sent first on each connection. */
  readonly hello: NonNullable<ConnectOptions['hello']>
  /** See `StartServerOptions`. */
  readonly isOrphan?: boolean
  /** One line about a server that was replaced, was started again, or has another version. */
  onNotice(message: string): void
  /** The server was stopped; the next request starts it again. Default: `onNotice` gets a line about it. */
  onStopped?(): void
}

/**
 * Emits once and completes; the caller closes the client. Replaces an unused server of another version
 * (`connectOrStart`), else uses it and reports it. Starts a server again if it ends: see `onDemandClient`.
 * The first start of a server gives no notice.
 */
export function lastingClient({ hello, ...options }: LastingClientOptions): Observable<ReconnectingClient> {
  const { socket, onNotice, onStopped = () => onNotice(stoppedNotice) } = options
  const command = serverCommand(socket)
  const onStarted = (): void => undefined // `rxpi status` names it
  const startAgain$ = (): Observable<Transport> =>
    startServer({ ...options, command }).pipe(
      map(({ transport, log }) => {
        onNotice(`started the server again (${log})`)
        return transport
      }),
    )
  return connectOrStart({ ...options, version, command, onStarted }).pipe(
    takeLast(1), // closed when the last subscriber leaves
    map((client) => {
      client.close()
      return onDemandClient({ socket, hello, start: startAgain$, onStopped })
    }),
  )
}

const stoppedNotice = 'the server was stopped; the next request starts it again'
