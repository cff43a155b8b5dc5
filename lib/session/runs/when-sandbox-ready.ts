// Prepares the sandbox before the decision about a call; binds a permission to leave it to that call.
// Guarantees: policy and tools see the final profile; without a sandbox the decision is as synchronous as before.
import { catchError, map, of, switchMap, take, tap } from 'rxjs'
import type { CallPorts } from '../../operators/ports/run-ports.ts'
import type { ToolCallHookInput } from '../../streams/ports/hooks.ts'
import type { SessionSandbox } from '../../streams/ports/sandbox.ts'
import { capabilityOf } from '../../streams/ports/tool.ts'
import { Failure } from '../../streams/values/failure.ts'

type RefusalOf = CallPorts['refusalOf']

export interface SandboxGate {
  /** The session's folder. */
  readonly cwd: string
  readonly refusalOf: RefusalOf
  /** True if a person or a rule decides about changes outside, so that an allowed call may make them. */
  readonly decidesOutside: boolean
}

/** A sandbox that is demanded and cannot be had refuses the call. Nothing is buffered; unsubscribing ends the wait. */
export function whenSandboxReady(sandbox: SessionSandbox | undefined, gate: SandboxGate): RefusalOf {
  const { refusalOf } = gate
  if (sandbox === undefined) return refusalOf
  return (input) =>
    sandbox.ready$.pipe(
      take(1),
      map(() => undefined),
      catchError((thrown: unknown) => of(Failure.from(thrown).message)),
      switchMap((problem) => {
        if (problem !== undefined) return of(`${input.tool.name} was not run: ${problem}`)
        const outside = outsideTarget(sandbox, input, gate)
        return (refusalOf?.(input) ?? of(undefined)).pipe(
          tap((refusal) => {
            if (refusal === undefined && outside !== undefined) sandbox.permit(input.call.id, outside)
          }),
        )
      }),
    )
}

/** The real path of a file that the call changes behind the fence, found before the question about it. */
function outsideTarget(
  sandbox: SessionSandbox,
  { call, tool, args: { path } }: ToolCallHookInput,
  { cwd, decidesOutside }: SandboxGate,
): string | undefined {
  sandbox.forbid(call.id) // of an earlier call with the same id
  if (!decidesOutside || capabilityOf(tool.capability) !== 'write' || typeof path !== 'string') return undefined
  return sandbox.outsideTarget(path, cwd)
}
