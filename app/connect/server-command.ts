// Builds the command line of a server that a client starts in the background.
import { memorySettings } from '../../lib/server/launch/memory-settings.ts'

/** Idle time after which a background server ends. */
const idleExit = '30m'

/** Program and arguments of a server at `socket`. No signal opens its debugger (docs/design/security.md#S26). */
export function serverCommand(socket: string): [program: string, ...args: string[]] {
  return [
    process.execPath,
    '--disable-sigusr1',
    ...memorySettings('node', process.env).map(({ key, value }) => `${key}=${value}`),
    process.argv[1] ?? '',
    ...['serve', '--socket', socket, '--idle-exit', idleExit],
  ]
}
