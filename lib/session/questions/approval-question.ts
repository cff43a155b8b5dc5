// Words a question about a tool call, and the refusals that a model reads.
import type { FinalCall } from '../../operators/ports/run-ports.ts'
import type { EventNamed } from '../../streams/events/event.ts'
import type { Policy, PolicyRequest, PolicyVerdict } from '../../streams/ports/policy.ts'
import type { QuestionRequest } from './check-request.ts'
import type { RichQuestion } from './ui-requests.ts'

/** One call of an approval question. */
export interface QuestionedCall {
  readonly call: FinalCall
  readonly request: PolicyRequest
  readonly verdict: PolicyVerdict
  /** Unified; undefined if the call has none. */
  readonly diff?: string | undefined
}

/** `session` and `always` are offered only if the policy would heed them. */
export function approvalQuestion(
  subject: QuestionedCall,
  policy: Pick<Policy, 'rememberCall' | 'addPattern'>,
): RichQuestion {
  const { pattern, class: named, tier, asksEachTime = false } = subject.verdict
  const isLasting = !asksEachTime
  const canAdd = isLasting && pattern !== undefined && policy.addPattern !== undefined
  const canRemember = isLasting && (canAdd || policy.rememberCall !== undefined)
  return {
    ...questionOf(subject),
    choices: ['once', ...(canRemember ? ['session'] : []), ...(canAdd ? ['always'] : []), 'deny'],
    ...(canAdd ? { pattern } : {}),
    ...(named === undefined ? {} : { class: named }),
    ...(tier === undefined ? {} : { tier }),
  }
}

/** For clients that show no `question`: this call alone, yes or no. */
export function fallbackQuestion(subject: QuestionedCall): QuestionRequest {
  return { ...questionOf(subject), choices: ['once', 'deny'] }
}

function questionOf({ call, request, verdict, diff }: QuestionedCall) {
  return {
    ...callQuestion({ ...call, args: request.args }, verdict.reason),
    ...(diff === undefined ? {} : { diff }),
  }
}

/** The part that every question about a call has. */
export function callQuestion({ call, tool, args }: Pick<FinalCall, 'call' | 'tool' | 'args'>, reason: string) {
  return {
    kind: 'approval' as const,
    source: 'core',
    text: `May ${tool.name} run?`,
    toolCallId: call.id,
    tool: tool.name,
    args,
    reason,
  }
}

/** The result of a call that the policy, or the lack of a person, refuses. */
export function refusalText(
  tool: string,
  { by, reason }: Pick<EventNamed<'policy_decision'>, 'by' | 'reason'>,
): string {
  if (by === 'hook') return reason
  if (by === 'client') return personsRefusal(tool)
  const advice = 'Do what you can without it, or tell the user what you need and why.'
  return `${tool} was not run. ${reason} ${advice}`
}

/** @param words what the person adds for the model */
export function personsRefusal(tool: string, words?: string): string {
  const refusal = `The user did not allow this call of ${tool}`
  return words === undefined ? `${refusal}.` : `${refusal}, and says: ${words}`
}

/** Why the call is refused although it only asks. */
export function unattendedReason({ reason }: Pick<PolicyVerdict, 'reason'>): string {
  return `${reason} It needs a person's approval, and no client can give it.`
}
