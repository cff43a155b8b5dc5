// The server that a front end uses: the one that runs at its socket, or one that it starts in the background.
import type { Observable } from 'rxjs'
import type { Client } from '../lib/server/client.ts'
import { connectOrStart } from '../lib/server/connect-or-start.ts'
import { tell } from './progress.ts'
import { version } from './version.ts'
import type { ProcessWorld } from './world.ts'

/** A server that was started for a client leaves when it has had neither client nor run for so long. */
const idleExit = '30m'

/** Emits a client, which is its subscriber's to close, and completes; what is started is said on stderr. See `connectOrStart`. */
export function usualServer(socket: string, { env, stderr }: Pick<ProcessWorld, 'env' | 'stderr'>): Observable<Client> {
  const served = ['serve', '--socket', socket, '--idle-exit', idleExit]
  return connectOrStart({
    socket,
    version,
    env,
    command: [process.execPath, ...memoryFlags(), process.argv[1] ?? '', ...served],
    tell: (message) => {
      tell(stderr, message)
    },
  })
}

/** Those that the launcher gave Node; none of a debugger's. */
function memoryFlags(): string[] {
  return process.execArgv.filter((flag) => flag.startsWith('--max-semi-space-size='))
}
