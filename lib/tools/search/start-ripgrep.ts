// Starts ripgrep with a limit of memory, and fails the search if ripgrep dies.
// Guarantees: a .gitignore that never ends (a link to /dev/zero) ends ripgrep, not the machine.
import { map } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { ProcessEvent } from '../../host/process/process-event.ts'
import type { SpawnOptions } from '../../host/process/spawn-process.ts'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'

/** KiB of a process; macOS has no such limit. A search of 10⁶ files takes about 30 MiB. */
const maxMemory = 512 * 1024

/** The shell limits itself and becomes ripgrep. */
export function ripgrepStart(program: string, args: readonly string[]): Pick<SpawnOptions, 'program' | 'args'> {
  if (process.platform === 'win32') return { program, args }
  const script = `ulimit -d ${maxMemory} 2>/dev/null; exec "$0" "$@"`
  return { program: '/bin/sh', args: ['-c', script, program, ...args] }
}

const diedErrno = 'ERIPGREP'

/** Fails if ripgrep could not start, or if a signal ended it without a limit of time: what it found is not all. */
export function failIfDied(): MonoTypeOperatorFunction<ProcessEvent> {
  return map((event) => {
    if (event.type !== 'end' || event.cutShort) return event
    const { signal, exitCode } = event
    // the codes of a shell: 126 and 127 if there is no such program, over 128 for a signal
    if (signal === null && (exitCode ?? 0) < 126) return event
    const act = exitCode === 126 || exitCode === 127 ? 'Could not start ripgrep' : 'ripgrep died'
    throw new Failure('storage', `${act} (${signal ?? `exit code ${exitCode}`})`, { data: { errno: diedErrno } })
  })
}

/** True for the failure of a search whose ripgrep died: plain Node may succeed. */
export function hasRipgrepDied(thrown: unknown): boolean {
  return errnoOf(thrown) === diedErrno
}
