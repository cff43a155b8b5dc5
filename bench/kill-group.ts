// Ends a process and all its descendants at once; an ended process is no fault.
import type { ChildProcess } from 'node:child_process'

/** Ends the process group that `child` leads. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
