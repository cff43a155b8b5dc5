// Prepares the session's sandbox before the decision about a call.
// Guarantees: policy and tools see the final profile; without a sandbox the decision is as synchronous as before.
import { catchError, map, of, switchMap, take } from 'rxjs'
import type { CallPorts } from '../../operators/ports/run-ports.ts'
import type { SessionSandbox } from '../../streams/ports/sandbox.ts'
import { Failure } from '../../streams/values/failure.ts'

type RefusalOf = CallPorts['refusalOf']

/** A sandbox that is demanded and cannot be had refuses the call. Nothing is buffered; unsubscribing ends the wait. */
export function whenSandboxReady(sandbox: SessionSandbox | undefined, refusalOf: RefusalOf): RefusalOf {
  if (sandbox === undefined) return refusalOf
  return (input) =>
    sandbox.ready$.pipe(
      take(1),
      map(() => undefined),
      catchError((thrown: unknown) => of(Failure.from(thrown).message)),
      switchMap((problem) =>
        problem === undefined
          ? (refusalOf?.(input) ?? of(undefined))
          : of(`${input.tool.name} was not run: ${problem}`),
      ),
    )
}
