// Runs one hook command: the event as JSON on standard input, exit code and output as its answer.
import { defer, map, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { findProgram } from '../../host/process/find-program.ts'
import { gatherOutput } from '../../host/process/gather-output.ts'
import { spawnProcess } from '../../host/process/spawn-process.ts'
import { Failure } from '../../streams/values/failure.ts'

export interface HookCommand {
  readonly command: string
  /** Milliseconds until it is ended. */
  readonly limitMs: number
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** A JSON object. */
  readonly event: object
}

/** The beginning of a command's output; the rest is dropped. */
export interface HookOutput {
  /** Null if a signal ended it. */
  readonly exitCode: number | null
  readonly timedOut: boolean
  readonly stdout: string
  readonly stderr: string
}

/** UTF-16 units that are kept of each output; the rest is read and dropped. */
export const maxOutput = 65_536

/**
 * Emits once, when the command and every process of it has ended. Unsubscribing ends them. Fails with a Failure if it
 * cannot be started.
 */
export function runHookCommand({ command, limitMs, cwd, env, event }: HookCommand): Observable<HookOutput> {
  return defer(() => {
    const program = findProgram('sh', { searchPath: env['PATH'], workspace: cwd })
    if (program === undefined) throw new Failure('bad_request', 'There is no sh to run the command of a hook')
    const variables = { ...env, RXPI_PROJECT_DIR: cwd, CLAUDE_PROJECT_DIR: cwd }
    // a real pipe: `cat /dev/stdin` cannot open the socket that Node makes
    const script = `cat <&3 3<&- | (exec 3<&-\n${command}\n)`
    const input = new TextEncoder().encode(JSON.stringify(event))
    return spawnProcess({
      program,
      args: ['-c', script],
      cwd,
      env: variables,
      inputs: [input],
      endWhen$: timer(limitMs),
    }).pipe(
      gatherOutput(maxOutput),
      map(({ cutShort, ...output }) => ({ ...output, timedOut: cutShort })),
    )
  })
}
