// Bounds the number of processes that a command can start.
// Guarantees: a fork storm leaves the user processes to spare; the time limit of the command then ends it.
import { readFileSync } from 'node:fs'

/** Processes and threads that a command may start beyond those that run. */
const mostProcesses = 4_096

/**
 * A command of the shell that sets its limit, to be put before a script; empty without /proc, or if a lower limit is set
 * already. The system counts all processes of the user, so the limit lies above those that run now. Linux does not hold
 * root by it.
 */
export function processLimit(): string {
  const running = firstNumber('/proc/loadavg', /\/(?<number>\d+) /) // of all users: one read instead of one for each
  const present = firstNumber('/proc/self/limits', /^Max processes +(?<number>\d+)/m) ?? Infinity
  if (running === undefined || present <= running + mostProcesses) return ''
  const most = running + mostProcesses
  return `ulimit -Su ${most} 2>/dev/null || ulimit -Sp ${most} 2>/dev/null; ` // dash calls it -p
}

function firstNumber(file: string, pattern: RegExp): number | undefined {
  try {
    const found = pattern.exec(readFileSync(file, 'latin1'))?.groups?.['number']
    return found === undefined ? undefined : Number(found)
  } catch {
    return undefined // no /proc: macOS has a limit of its own for each user
  }
}
