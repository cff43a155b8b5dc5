// Runs a program for an extension, and gathers what it prints.
import { defer, map, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { findProgram } from '../../host/process/find-program.ts'
import { gatherOutput } from '../../host/process/gather-output.ts'
import { spawnProcess } from '../../host/process/spawn-process.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ExecOptions, ExecResult } from '../api/extension-api.ts'
import type { SessionHost } from './session-host.ts'

const defaultTimeoutMs = 120_000
/** UTF-16 units of each output that are returned; the rest is read and dropped. */
const mostOutput = 1_048_576

interface Program extends ExecOptions {
  readonly name: string
  readonly args: readonly string[]
  readonly host: SessionHost
}

/** Emits once, when the program and its processes have ended. Fails with `bad_request` if there is no such program. */
export function execProgram({ name, args, host, cwd = host.cwd, env, timeoutMs }: Program): Observable<ExecResult> {
  return defer(() => {
    const variables = { ...host.env, ...env }
    const program = findProgram(name, { searchPath: variables['PATH'], workspace: host.cwd })
    if (program === undefined) throw new Failure('bad_request', `There is no program ${name} on the search path`)
    const limit$ = timer(timeoutMs ?? defaultTimeoutMs)
    return spawnProcess({ program, args, cwd, env: variables, endWhen$: limit$ }).pipe(
      gatherOutput(mostOutput),
      map(({ exitCode, cutShort, ...output }) => ({ ...output, code: exitCode, timedOut: cutShort })),
    )
  })
}
