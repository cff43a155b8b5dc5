// Proposes a plan again if the process ended before an answer, as soon as a client can show it.
// Guarantees: only an answer of a person starts a run; any other input, or another head, takes the plan back.
import { EMPTY, catchError, exhaustMap, filter, ignoreElements, mergeMap, of, take, takeUntil } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { Message, ToolResultMessage } from '../../streams/messages/message.ts'
import { innerCalls } from '../../streams/messages/inner-call.ts'
import type { PlanAnswer } from '../../streams/ports/tool.ts'
import { endsWithPlan, planTool } from '../../streams/ports/scenarios.ts'
import type { ActivePhase } from '../../streams/ports/scenarios.ts'
import { contextMessages, contextEntries } from '../../streams/state/context-messages.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import { isRecord } from '../../streams/values/json.ts'
import { Failure } from '../../streams/values/failure.ts'
import { proposePlan } from './plan-question.ts'
import type { PlanQuestionOptions, ProposedPlan } from './plan-question.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'

export interface ProposeAgainOptions extends PlanQuestionOptions {
  readonly proposed: ProposedPlan
  /** Emits when a client can answer: now, or later. */
  readonly attended$: Observable<unknown>
  /** Starts a run with this text. */
  prompt(text: string): Observable<unknown>
}

/** Ends of runs that withdrew the question before an answer. */
const interruptions: ReadonlySet<string> = new Set(['crashed', 'server_shutdown'])

/**
 * The plan that the last run proposed when its process ended; undefined if something followed it. Reads the context.
 */
export function interruptedPlan(state: SessionState, active: ActivePhase | undefined): ProposedPlan | undefined {
  if (active === undefined || !endsWithPlan(active.phase)) return undefined
  if (!interruptions.has(state.lastEnd?.terminationReason ?? '')) return undefined
  const messages = contextMessages(state)
  const at = messages.findLastIndex(({ role }) => role === 'assistant' || role === 'user')
  const last = messages[at]
  if (last?.role !== 'assistant') return undefined
  const unanswered = new Set(messages.slice(at + 1).flatMap((each) => (isUnanswered(each) ? [each.toolCallId] : [])))
  const call = innerCalls(last.content).findLast(({ id, name }) => name === planTool && unanswered.has(id))
  const plan = call?.arguments['plan']
  return call === undefined || typeof plan !== 'string' || plan.trim() === ''
    ? undefined
    : { plan, toolCallId: call.id }
}

function isUnanswered(message: Message): message is ToolResultMessage {
  if (message.role !== 'toolResult') return false
  const { isError, details } = message
  return isError || (isRecord(details) && details['outcome'] === 'unattended')
}

/**
 * Emits a `warning` if the question or the run fails, and completes when the plan is answered or taken back. Never
 * fails.
 */
export function proposeAgain({ proposed, attended$, prompt, ...options }: ProposeAgainOptions): Observable<AgentEvent> {
  const superseded$ = options.pipeline.events$.pipe(
    filter(({ type }) => type === 'agent_start' || type === 'head_moved'),
  )
  const answer$ = attended$.pipe(
    exhaustMap(() => proposePlan(proposed, options)),
    filter(({ outcome }) => outcome !== 'unattended'), // the next client gets the question
    take(1),
    takeUntil(superseded$),
  )
  return answer$.pipe(
    mergeMap((answer) => {
      const text = answerText(answer)
      return text === undefined ? EMPTY : prompt(text).pipe(ignoreElements())
    }),
    catchError((error: unknown) => {
      const { code, message } = Failure.from(error)
      return of({
        type: 'warning',
        code,
        message: `No run follows the answer to the plan: ${message}`,
        recoverable: true,
      } as const)
    }),
  )
}

function answerText({ outcome, text }: PlanAnswer): string | undefined {
  if (outcome === 'accepted') {
    const edited = text === undefined ? '' : ` I changed it; this is the plan that counts:\n\n${text}`
    return `I accept the plan. Carry it out now.${edited}`
  }
  if (outcome !== 'rejected' || text === undefined) return undefined
  return `I do not accept the plan yet: ${text}\n\nChange the plan and propose it again.`
}

const types: ReadonlySet<string> = new Set(['tool_execution_end', 'scenario_change', 'warning'])

/**
 * Yields the ends of the answer's calls, the changes of the phase and the warnings, in order. Lazy: reads the context
 * and the end of the log when it is iterated.
 */
export function* eventsSinceAnswer(log: Pick<SessionLog, 'records'>, state: SessionState): Generator<AgentEvent> {
  const answer = contextEntries(state).findLast(({ message }) => message.role === 'assistant')
  if (answer?.message.role !== 'assistant') return
  const calls = new Set(innerCalls(answer.message.content).map(({ id }) => id))
  for (const { event } of log.records(answer.seq, types))
    if (event.type !== 'tool_execution_end' || calls.has(event.toolCallId)) yield event
}
