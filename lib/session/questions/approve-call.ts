// Decides whether a tool call may run, after the hooks, on its final arguments.
import { defaultIfEmpty, defer, map, of, take } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CallPorts } from '../../operators/ports/run-ports.ts'
import type { Approve } from '../../streams/ports/hooks.ts'
import type { Answer } from '../../streams/ports/ask.ts'
import type { ToolCallHookInput } from '../../streams/ports/hooks.ts'
import type { Capability } from '../../streams/ports/tool.ts'
import type { UiRequests } from './ui-requests.ts'

/** Emits the reason for which a call may not run, or undefined. */
export function approveCall(
  approve: Approve | undefined,
  requests: Pick<UiRequests, 'ask'>,
): NonNullable<CallPorts['refusalOf']> {
  return (input) => defer(() => refusal(approve, input, requests))
}

/** Emits why the call may not run, or undefined. */
function refusal(
  approve: Approve | undefined,
  input: ToolCallHookInput,
  requests: Pick<UiRequests, 'ask'>,
): Observable<string | undefined> {
  const { capability = 'execute', alwaysAsk = false, name } = input.tool
  if (!alwaysAsk && (approve === 'auto' || capability === 'read')) return of(undefined)
  if (typeof approve === 'function') return decided(approve, input, capability)
  if (alwaysAsk || approve === 'ask') return requests.ask(approval(input, capability)).pipe(map(refusedBy(name)))
  return of(nobodyToAsk(name, capability))
}

function decided(
  approve: Exclude<Approve, string>,
  input: ToolCallHookInput,
  capability: Capability,
): Observable<string | undefined> {
  return approve({ ...input, capability }).pipe(
    take(1),
    defaultIfEmpty({ decision: 'deny' as const, reason: 'The approval function completed without a decision' }),
    map(({ decision, reason = denied(input.tool.name) }) => (decision === 'allow' ? undefined : reason)),
  )
}

/** A question about this one call. */
function approval({ call, tool, args }: ToolCallHookInput, capability: Capability) {
  return {
    kind: 'approval' as const,
    source: 'core',
    text: `May ${tool.name} run?`,
    toolCallId: call.id,
    tool: tool.name,
    args,
    reason: `it may ${capability}`,
    choices: ['once' as const, 'deny' as const],
  }
}

function refusedBy(name: string): (answer: Answer) => string | undefined {
  return ({ outcome, text = denied(name), by }) => {
    if (outcome === 'once') return undefined
    return by === 'client' ? text : `${name} was not run: it needs a user's approval, and no client can give it.`
  }
}

function denied(name: string): string {
  return `The user did not allow this call of ${name}.`
}

function nobodyToAsk(name: string, capability: string): string {
  return (
    `${name} was not run: it may ${capability}, and this session cannot ask for approval. ` +
    `Pass the option \`approve\` (a function, 'ask' to ask the connected clients, or 'auto' to run everything without asking).`
  )
}
