// How a server is started in the background for a front end that found none.

/** A server that was started for a client leaves when it has had neither client nor run for so long. */
const idleExit = '30m'

/** The program that serves at `socket` in the foreground, and its arguments. */
export function serverCommand(socket: string): [program: string, ...args: string[]] {
  const served = ['serve', '--socket', socket, '--idle-exit', idleExit]
  return [process.execPath, ...memoryFlags(), process.argv[1] ?? '', ...served]
}

/** Those that the launcher gave Node; none of a debugger's. */
function memoryFlags(): string[] {
  return process.execArgv.filter((flag) => flag.startsWith('--max-semi-space-size='))
}
