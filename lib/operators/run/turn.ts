// Plays one turn: its inputs, one model response and its tool calls.
import { asyncScheduler, defer, ignoreElements, of, takeUntil, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import { innerCall } from '../../streams/messages/inner-call.ts'
import type { AssistantMessage, ToolCall, ToolResultMessage, UserMessage } from '../../streams/messages/message.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import type { QueuedInput } from '../../streams/state/fold-session.ts'
import { Failure } from '../../streams/values/failure.ts'
import { concatSteps } from '../core/loop-while.ts'
import { runTurnHook } from '../hooks/run-hook.ts'
import { summarySpending } from '../request/summary-spending.ts'
import type { SummarySpending } from '../request/summary-spending.ts'
import { createModelChoice } from '../request/model-choice.ts'
import type { ModelChoice } from '../request/model-choice.ts'
import type { RunInput, RunPorts } from '../ports/run-ports.ts'
import type { Answer } from '../request/assemble-message.ts'
import { requestAnswer } from '../request/request-answer.ts'
import type { RequestAnswerOptions } from '../request/request-answer.ts'
import { callTools } from '../tool-calls/call-tools.ts'
import { takeEvent } from './queues.ts'
import type { TurnPlan } from './run-state.ts'

export interface TurnOptions extends TurnPlan {
  /** The run's. Default: one for this turn alone, which begins with the model itself. */
  readonly choice?: ModelChoice
  readonly ports: RunPorts
  readonly stop: StopSwitch
}

/**
 * Emits the turn's events from `turn_start` to its last tool result, and completes; `run` adds the `turn_end`. If the
 * answer ended in a failure, the turn fails with it after its last event. On unsubscribe request and tools are
 * unsubscribed.
 */
export function turn(options: TurnOptions): Observable<AgentEvent> {
  return defer(() => {
    const { turnIndex, prompt, usage, choice = createModelChoice(), ports, stop } = options
    const results: ToolResultMessage[] = []
    const spending = summarySpending()
    let { hasQuestion } = options
    let answer: Answer | undefined
    const onAnswer = (next: Answer): void => {
      answer = next
    }
    return concatSteps<AgentEvent>(
      () => of({ type: 'turn_start', turnId: ports.ids.short(), turnIndex }),
      () => ports.betweenTurns?.(),
      () => (prompt === undefined ? undefined : of(...userMessage(prompt, ports))),
      () => {
        const inputs = takeInputs(options)
        hasQuestion ||= inputs.length > 0
        return concatSteps(...inputs.map((input) => () => of(...userMessage(input, ports), takeEvent(input))))
      },
      () => (hasQuestion ? chooseModel(options) : undefined),
      () => (hasQuestion ? compactFirst(options, spending) : undefined),
      () => spentOn(spending),
      () => (hasQuestion ? beforeTurn(options) : undefined),
      () => (hasQuestion ? request({ ports, stop, usage, turnIndex, choice, spending, onAnswer }) : undefined),
      () => spentOn(spending),
      () => (answer === undefined ? undefined : callAllTools(answer, options, results)),
      () => afterTurn(options, answer, results),
      () => failureOf(answer),
    )
  })
}

/** A stop cancels it. */
function chooseModel({ ports, stop }: TurnOptions): Observable<AgentEvent> | undefined {
  return stop.reason === undefined ? ports.chooseModel?.()?.pipe(takeUntil(stop.stop$)) : undefined
}

/** A stop cancels it. The run then makes no request. */
function compactFirst({ ports, stop }: TurnOptions, { watch }: SummarySpending): Observable<AgentEvent> | undefined {
  return stop.reason === undefined ? ports.compactFirst?.()?.pipe(watch, takeUntil(stop.stop$)) : undefined
}

/** Usage of summaries that failed or that a stop cancelled. */
function spentOn(spending: SummarySpending): Observable<AgentEvent> | undefined {
  const spent = spending.take()
  return spent === undefined ? undefined : of(spent)
}

function beforeTurn(options: TurnOptions): Observable<never> | undefined {
  const { turnIndex, ports } = options
  const { beforeTurn } = ports.hooks
  if (beforeTurn === undefined) return undefined
  const input = { turnIndex, messages: ports.conversation.messages }
  return runTurnHook('beforeTurn', () => beforeTurn(input), options).pipe(ignoreElements())
}

function afterTurn(
  options: TurnOptions,
  answer: Answer | undefined,
  results: readonly ToolResultMessage[],
): Observable<never> | undefined {
  const { turnIndex, ports } = options
  const { afterTurn } = ports.hooks
  if (afterTurn === undefined) return undefined
  const turn = { turnIndex, results, ...(answer === undefined ? {} : { message: answer.message }) }
  return runTurnHook('afterTurn', () => afterTurn(turn), options).pipe(ignoreElements())
}

/** Nothing if the run was stopped. An error before the request, such as unreadable settings, stops the run. */
function request(options: RequestAnswerOptions): Observable<AgentEvent> | undefined {
  const { stop } = options
  if (stop.reason !== undefined) return undefined
  try {
    return requestAnswer(options)
  } catch (error) {
    stop.stop('error', Failure.from(error))
    return undefined
  }
}

/**
 * Takes from the queue; nothing if the run was stopped. Steering goes first, even if it came just now
 * (docs/loop.md#19).
 */
function takeInputs({ queue, ports: { queues }, stop }: TurnOptions): readonly QueuedInput[] {
  if (stop.reason !== undefined) return []
  return queues.take(queues.size('steering') > 0 ? 'steering' : queue)
}

/** Appends the message to the transcript before its events are emitted. */
function userMessage({ content, invocation, queueId }: RunInput, { conversation }: RunPorts): readonly AgentEvent[] {
  const entryId = conversation.nextEntryId()
  const parentId = conversation.headEntryId
  const origin = invocation === undefined ? {} : { invocation }
  const message: UserMessage = { role: 'user', content, ...origin, timestamp: asyncScheduler.now() }
  conversation.append(entryId, message)
  const start: AgentEvent = { type: 'message_start', entryId, parentId, message: { ...message, content: [] } }
  return [queueId === undefined ? start : { ...start, queueId }, { type: 'message_end', entryId, parentId, message }]
}

function callAllTools(
  { entryId, message, refusalOf }: Answer,
  { ports, stop }: TurnOptions,
  results: ToolResultMessage[],
): Observable<AgentEvent> | undefined {
  const calls = message.content.filter((block): block is ToolCall => block.type === 'toolCall')
  if (calls.length === 0) return undefined
  const refusal = commonRefusal(message)
  return callTools({
    calls: ports.hasUseTool?.() === true ? calls.map(innerCall) : calls,
    entryId,
    ports,
    stop,
    ...(refusal === undefined ? {} : { refuseAll: refusal }),
    ...(refusalOf === undefined ? {} : { refusalOf }),
    onResult: (result) => results.push(result.message),
  })
}

/** The reason why no call of this message may run. */
function commonRefusal({ stopReason }: AssistantMessage): string | undefined {
  switch (stopReason) {
    case 'length':
      return 'The answer reached its output limit, which cut this call off; it was not run. Send it again, shorter.'
    case 'error':
      return 'The answer ended in an error before it was complete; this call was not run.'
    case 'aborted':
      return 'Aborted'
    default:
      return undefined
  }
}

function failureOf(answer: Answer | undefined): Observable<never> | undefined {
  const failure = answer?.failure
  return failure === undefined ? undefined : throwError(() => failure)
}
