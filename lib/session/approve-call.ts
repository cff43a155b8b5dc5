// Approval is decided after the hooks, on the arguments that the tool would really get; a person may take as long as it takes.
import { defaultIfEmpty, defer, map, of, take } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CallPorts } from '../operators/run-ports.ts'
import type { Approve } from '../streams/approve.ts'
import type { ToolCallHookInput } from '../streams/hooks.ts'

/** What a call is asked for before it runs; undefined where everything runs unasked. */
export function approveCall(approve: Approve | undefined): CallPorts['refusalOf'] {
  return approve === 'auto' ? undefined : (input) => defer(() => refusal(approve, input))
}

/** Emits why the call may not run, or undefined. */
function refusal(
  approve: Exclude<Approve, 'auto'> | undefined,
  input: ToolCallHookInput,
): Observable<string | undefined> {
  const capability = input.tool.capability ?? 'execute'
  if (capability === 'read') return of(undefined)
  if (approve === undefined) return of(nobodyToAsk(input.tool.name, capability))
  return approve({ ...input, capability }).pipe(
    take(1),
    defaultIfEmpty({ decision: 'deny' as const, reason: 'Nobody answered the request for approval' }),
    map(({ decision, reason = `The user did not allow this call of ${input.tool.name}.` }) =>
      decision === 'allow' ? undefined : reason,
    ),
  )
}

function nobodyToAsk(name: string, capability: string): string {
  return (
    `${name} was not run: it may ${capability}, and this session has nobody to ask. ` +
    `Pass the option \`approve\` (a function, or 'auto' to run everything unasked).`
  )
}
