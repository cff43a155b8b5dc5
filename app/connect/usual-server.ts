// The server that a front end uses: the one that runs at its socket, or one that it starts in the background.
import type { Observable } from 'rxjs'
import type { Client } from '../../lib/server/client/client.ts'
import { connectOrStart } from '../../lib/server/launch/connect-or-start.ts'
import { build } from '../process/build.ts'
import { tell } from '../process/progress.ts'
import { serverCommand } from './server-command.ts'
import { version } from '../process/version.ts'
import type { ProcessWorld } from '../process/world.ts'

/** Emits a client, which is its subscriber's to close, and completes; what is started is said on stderr. See `connectOrStart`. */
export function usualServer(socket: string, { env, stderr }: Pick<ProcessWorld, 'env' | 'stderr'>): Observable<Client> {
  return connectOrStart({
    socket,
    version,
    build,
    env,
    command: serverCommand(socket),
    onNotice: (message) => {
      tell(stderr, message)
    },
  })
}
