// Runs the machine's npm, which knows a person's registry, proxies and keys.
import { defer, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import { findProgram } from '../../host/process/find-program.ts'
import { gatherOutput } from '../../host/process/gather-output.ts'
import type { GatheredOutput } from '../../host/process/gather-output.ts'
import { spawnProcess } from '../../host/process/spawn-process.ts'

export interface NpmRun {
  readonly args: readonly string[]
  /** Where npm runs, absolute; it reads `.npmrc` there. */
  readonly folder: string
  /** npm is not searched inside it, absolute. */
  readonly workspace: string
  /** The client's environment. */
  readonly env: Readonly<Record<string, string>>
  readonly limitMs: number
  /** UTF-16 units of each output that are held. */
  readonly maxOutput: number
}

/**
 * Emits once, when npm has ended, and completes. Fails with `bad_request` if there is no npm in PATH; unsubscribing
 * ends it.
 */
export function runNpm({ args, folder, workspace, env, limitMs, maxOutput }: NpmRun): Observable<GatheredOutput> {
  return defer(() => {
    const program = findProgram('npm', { searchPath: env['PATH'], workspace })
    if (program === undefined) throw new Failure('bad_request', 'There is no npm in PATH; it fetches packages')
    const own = { ...env, GIT_TERMINAL_PROMPT: '0' }
    return spawnProcess({ program, args, cwd: folder, env: own, endWhen$: timer(limitMs) })
  }).pipe(gatherOutput(maxOutput))
}
