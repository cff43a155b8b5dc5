// Builds the command line of a server that a client starts in the background.
import { memorySettings } from '../../lib/server/launch/memory-settings.ts'

/** A server that was started for a client leaves when it has had neither client nor run for so long. */
const idleExit = '30m'

/** The program that serves at `socket` in the foreground, and its arguments; no flags of a debugger's. */
export function serverCommand(socket: string): [program: string, ...args: string[]] {
  return [
    process.execPath,
    ...memorySettings('node', process.env).map(({ key, value }) => `${key}=${value}`),
    process.argv[1] ?? '',
    ...['serve', '--socket', socket, '--idle-exit', idleExit],
  ]
}
