// Bounds the number of processes that a command can start.
// Guarantees: a fork storm leaves the user processes to spare; the time limit of the command then ends it.
import { readFileSync } from 'node:fs'

/** Processes and threads that a command may start beyond those that run. */
const maxProcesses = 4_096

/**
 * The program and arguments that run a script with the limit: a shell sets it and becomes the other one, so that
 * messages of the script stay as they are. Without /proc, or if a lower limit is set already, the shell runs directly.
 * The system counts all processes of the user, so the limit lies above those that run now. Linux does not hold root by
 * it.
 */
export function limitedShell(
  shell: string,
  script: string,
): { readonly program: string; readonly args: readonly string[] } {
  const running = firstNumber('/proc/loadavg', /\/(?<number>\d+) /) // of all users: one read instead of one for each
  const present = firstNumber('/proc/self/limits', /^Max processes +(?<number>\d+)/m) ?? Infinity
  if (running === undefined || present <= running + maxProcesses) return { program: shell, args: ['-c', script] }
  const maxOfUser = running + maxProcesses
  // bash calls it -u, dash -p
  const limit = `ulimit -Su ${maxOfUser} 2>/dev/null || ulimit -Sp ${maxOfUser} 2>/dev/null; exec "$0" -c "$1"`
  return { program: '/bin/sh', args: ['-c', limit, shell, script] }
}

function firstNumber(file: string, pattern: RegExp): number | undefined {
  try {
    const found = pattern.exec(readFileSync(file, 'latin1'))?.groups?.['number']
    return found === undefined ? undefined : Number(found)
  } catch {
    return undefined // no /proc: macOS has a limit of its own for each user
  }
}
