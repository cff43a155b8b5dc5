// Approval is decided after the hooks, on the arguments that the tool would really get.
import { concatMap, defer, defaultIfEmpty, from, map, of, take } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Approve } from '../streams/approve.ts'
import type { BeforeToolCallAnswer, Hooks, ToolCallHookInput } from '../streams/hooks.ts'

type Answer = BeforeToolCallAnswer | undefined

/** The hooks with the approval behind them. */
export function approvalHooks(approve: Approve | undefined, hooks: Hooks): Hooks {
  if (approve === 'auto') return hooks
  return {
    ...hooks,
    beforeToolCall: (input) => hooked(hooks, input).pipe(concatMap((answer) => decided(approve, input, answer))),
  }
}

function hooked({ beforeToolCall }: Hooks, input: ToolCallHookInput): Observable<Answer> {
  if (beforeToolCall === undefined) return of(undefined)
  return defer(() => from(beforeToolCall(input))).pipe(take(1), defaultIfEmpty(undefined))
}

function decided(
  approve: Exclude<Approve, 'auto'> | undefined,
  input: ToolCallHookInput,
  answer: Answer,
): Observable<Answer> {
  const { call, tool } = input
  const capability = tool.capability ?? 'execute'
  if (answer?.block !== undefined || capability === 'read') return of(answer)
  if (approve === undefined) return of({ block: { reason: nobodyToAsk(tool.name, capability) } })
  const request = { call, tool, args: answer?.args ?? input.args, capability }
  return approve(request).pipe(
    take(1),
    defaultIfEmpty({ decision: 'deny' as const, reason: 'Nobody answered the request for approval' }),
    map(({ decision, reason }) => {
      if (decision === 'allow') return answer
      return { block: { reason: reason ?? `The user did not allow this call of ${tool.name}.` } }
    }),
  )
}

function nobodyToAsk(name: string, capability: string): string {
  return (
    `${name} was not run: it may ${capability}, and this session has nobody to ask. ` +
    `Pass the option \`approve\` (a function, or 'auto' to run everything unasked).`
  )
}
