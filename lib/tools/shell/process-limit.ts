// Bounds the number of processes that a command can start.
// Guarantees: a fork storm leaves the user processes to spare; the time limit of the command then ends it.
import { readFileSync } from 'node:fs'

/** Processes and threads that a command may start beyond those that run. */
const mostProcesses = 4_096

/**
 * A command of the shell that sets its limit, to be put before a script; empty without /proc. The system counts all
 * processes of the user, so the limit lies above those that run now. Linux does not hold root by it.
 */
export function processLimit(): string {
  const running = runningThreads()
  return running === undefined ? '' : `ulimit -Su ${running + mostProcesses} 2>/dev/null; `
}

/** Of all users: one read instead of one for each process. */
function runningThreads(): number | undefined {
  try {
    const running = Number(/\/(?<all>\d+) /.exec(readFileSync('/proc/loadavg', 'latin1'))?.groups?.['all'])
    return Number.isSafeInteger(running) ? running : undefined
  } catch {
    return undefined // no /proc: macOS has a limit of its own for each user
  }
}
