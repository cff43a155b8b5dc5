// How a server is started in the background for a front end that found none.

/** A server that was started for a client leaves when it has had neither client nor run for so long. */
const idleExit = '30m'
/** As bin/rxpi gives it, which need not be how the front end was started. */
const youngGeneration = '--max-semi-space-size=8'

/** The program that serves at `socket` in the foreground, and its arguments; no flags of a debugger's. */
export function serverCommand(socket: string): [program: string, ...args: string[]] {
  return [
    process.execPath,
    youngGeneration,
    process.argv[1] ?? '',
    ...['serve', '--socket', socket, '--idle-exit', idleExit],
  ]
}
