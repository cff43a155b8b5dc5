// Decides whether a tool call may run, after the hooks, on its final arguments.
import { defaultIfEmpty, defer, map, of, take } from 'rxjs'
import type { Observable } from 'rxjs'
import { answerOf } from '../../operators/hooks/run-hook.ts'
import type { CallPorts, FinalCall } from '../../operators/ports/run-ports.ts'
import type { Approve, ToolCallHookInput } from '../../streams/ports/hooks.ts'
import type { Answer } from '../../streams/ports/ask.ts'
import type { Capability } from '../../streams/ports/tool.ts'
import { callQuestion, personsRefusal } from './approval-question.ts'
import type { UiRequests } from './ui-requests.ts'

/** Emits the reason for which a call may not run, or undefined. */
export function approveCall(
  approve: Approve | undefined,
  requests: Pick<UiRequests, 'ask'>,
): NonNullable<CallPorts['refusalOf']> {
  return (input) => defer(() => refusalReason(approve, input, requests))
}

/** Emits why the call may not run, or undefined. A hook that asks counts as `alwaysAsk`. */
function refusalReason(
  approve: Approve | undefined,
  input: FinalCall,
  requests: Pick<UiRequests, 'ask'>,
): Observable<string | undefined> {
  const { capability = 'execute', name } = input.tool
  const alwaysAsk = input.tool.alwaysAsk === true || input.hook?.decision === 'ask'
  if (!alwaysAsk && (approve === 'auto' || capability === 'read')) return of(undefined)
  if (typeof approve === 'function') return askFunction(approve, input, capability)
  if (alwaysAsk || approve === 'ask')
    return requests.ask(approvalRequest(input, capability)).pipe(map(reasonFromAnswer(name)))
  return of(cannotAskText(name, capability))
}

function askFunction(
  approve: Exclude<Approve, string>,
  input: ToolCallHookInput,
  capability: Capability,
): Observable<string | undefined> {
  const undecided = { decision: 'deny' as const, reason: 'The approval function completed without a decision' }
  return answerOf(approve({ ...input, capability })).pipe(
    take(1),
    defaultIfEmpty(undecided),
    map((decision) => decision ?? undecided),
    map(({ decision, reason = personsRefusal(input.tool.name) }) => (decision === 'allow' ? undefined : reason)),
  )
}

/** A question about this one call. */
function approvalRequest(call: FinalCall, capability: Capability) {
  return {
    ...callQuestion(call, call.hook?.reason ?? `it may ${capability}`),
    choices: ['once' as const, 'deny' as const],
  }
}

function reasonFromAnswer(name: string): (answer: Answer) => string | undefined {
  return ({ outcome, text, by }) => {
    if (outcome === 'once') return undefined
    return by === 'client'
      ? personsRefusal(name, text)
      : `${name} was not run: it needs a user's approval, and no client can give it.`
  }
}

function cannotAskText(name: string, capability: string): string {
  return (
    `${name} was not run: it may ${capability}, and this session cannot ask for approval. ` +
    `Pass the option \`approve\` (a function, 'ask' to ask the connected clients, or 'auto' to run everything without asking).`
  )
}
