// A turn is one model response and its tool batch, between one `turn_start` and one `turn_end`, whatever happens in it.
import { asyncScheduler, defer, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { AssistantMessage, ToolCall, Usage, UserMessage } from '../../streams/messages/message.ts'
import { noUsage } from '../../streams/messages/message.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import type { Answer } from '../request/assemble-message.ts'
import { callTools } from '../tool-calls/call-tools.ts'
import type { CalledTool } from '../tool-calls/call-tools.ts'
import { holdTurn } from '../hooks/hold-turn.ts'
import { loopWhile } from '../core/loop-while.ts'
import { modelChoice } from '../ports/model-choice.ts'
import type { ModelChoice } from '../ports/model-choice.ts'
import { concatSteps } from '../core/concat-steps.ts'
import { taken } from './queues.ts'
import type { QueueName } from '../ports/run-ports.ts'
import { requestAnswer } from '../request/request-answer.ts'
import type { RequestAnswerOptions } from '../request/request-answer.ts'
import type { RunInput, RunPorts } from '../ports/run-ports.ts'

export interface TurnOptions {
  readonly turnIndex: number
  /** The prompt's message, in a run's first turn. */
  readonly prompt?: RunInput
  /** Which queue the turn takes from, after the prompt; steering that waits goes before follow-ups in any case. */
  readonly queue: QueueName
  /** True where the turn answers tool results or a prompt; false: without a taken input there is nothing to ask. */
  readonly hasQuestion: boolean
  readonly usage: Usage | undefined
  /** The run's. Default: one for this turn alone, which begins with the model itself. */
  readonly choice?: ModelChoice
  readonly ports: RunPorts
  readonly stop: StopSwitch
  /** Told before `turn_end`; says whether the run goes on. */
  finished(turn: TurnOutcome): { readonly willContinue: boolean }
}

/** What became of a turn. */
export interface TurnOutcome {
  /** Missing where the run was stopped before anything was visible. */
  readonly answer: Answer | undefined
  readonly results: readonly CalledTool[]
  readonly hasToolCalls: boolean
}

/** Emits the turn's events and completes after `turn_end`; never fails. On unsubscribe request and tools are unsubscribed. */
export function turn(options: TurnOptions): Observable<AgentEvent> {
  return defer(() => {
    const { prompt, ports, stop, usage, choice = modelChoice() } = options
    const turnId = ports.ids.short()
    const results: CalledTool[] = []
    let answer: Answer | undefined
    let asked = options.hasQuestion
    return concatSteps<AgentEvent>(
      () => of({ type: 'turn_start', turnId, turnIndex: options.turnIndex }),
      () => ports.betweenTurns?.(),
      () => (prompt === undefined ? undefined : of(...userMessage(prompt, ports))),
      () =>
        queued(options, () => {
          asked = true
        }),
      () => (asked ? beforeRequest(options) : undefined),
      () => {
        if (stop.reason !== undefined || !asked) return undefined
        return requested({ ports, stop, usage, choice, answered: (given) => (answer = given) })
      },
      () => (answer === undefined ? undefined : batch(answer, options, results)),
      () => afterResults(options, answer, results),
      () => of(turnEnd(turnId, { answer, results, hasToolCalls: callsOf(answer).length > 0 }, options)),
    )
  })
}

function beforeRequest(options: TurnOptions): Observable<never> | undefined {
  const { turnIndex, ports } = options
  const { beforeTurn } = ports.hooks
  if (beforeTurn === undefined) return undefined
  return holdTurn('beforeTurn', () => beforeTurn({ turnIndex, messages: ports.conversation.messages }), options)
}

function afterResults(
  options: TurnOptions,
  answer: Answer | undefined,
  results: readonly CalledTool[],
): Observable<never> | undefined {
  const { turnIndex, ports } = options
  const { afterTurn } = ports.hooks
  if (afterTurn === undefined) return undefined
  const turn = { turnIndex, results: results.map(({ message }) => message) }
  return holdTurn(
    'afterTurn',
    () => afterTurn(answer === undefined ? turn : { ...turn, message: answer.message }),
    options,
  )
}

/** What keeps a request from even being made, such as settings that cannot be had, ends the run. */
function requested(options: RequestAnswerOptions): Observable<AgentEvent> | undefined {
  try {
    return requestAnswer(options)
  } catch (error) {
    options.stop.stop('error', Failure.from(error))
    return undefined
  }
}

/** What the queue gives: nothing once the run is to stop. */
function queued({ queue, ports, stop }: TurnOptions, delivered: () => void): Observable<AgentEvent> | undefined {
  const inputs = stop.reason === undefined ? ports.queues.take(firstOf(queue, ports)) : []
  if (inputs.length === 0) return undefined
  let next = 0
  return loopWhile(() => {
    const input = inputs[next++]
    if (input === undefined) return undefined
    delivered()
    return of(...userMessage(input, ports), taken(input))
  })
}

/** Steering goes first, also where it came when the turn had begun for a follow-up (docs/loop.md#19). */
function firstOf(queue: QueueName, { queues }: RunPorts): QueueName {
  return queues.size('steering') > 0 ? 'steering' : queue
}

/** The message is the transcript's when its events are told. */
function userMessage({ content, queueId }: RunInput, { conversation }: RunPorts): readonly AgentEvent[] {
  const entryId = conversation.nextEntryId()
  const parentId = conversation.headEntryId
  const message: UserMessage = { role: 'user', content, timestamp: asyncScheduler.now() }
  conversation.append(entryId, message)
  const start: AgentEvent = { type: 'message_start', entryId, parentId, message: { ...message, content: [] } }
  return [queueId === undefined ? start : { ...start, queueId }, { type: 'message_end', entryId, parentId, message }]
}

function batch(
  answer: Answer,
  { ports, stop }: TurnOptions,
  results: CalledTool[],
): Observable<AgentEvent> | undefined {
  const calls = callsOf(answer)
  if (calls.length === 0) return undefined
  const refusal = refusalOf(answer.message)
  return callTools({
    calls,
    entryId: answer.entryId,
    ports,
    stop,
    ...(refusal === undefined ? {} : { refuseAll: refusal }),
    called: (result) => results.push(result),
  })
}

/** Tool calls are decided by content, not by stop reason (docs/loop.md#14). */
function callsOf(answer: Answer | undefined): ToolCall[] {
  return answer?.message.content.filter((block) => block.type === 'toolCall') ?? []
}

/** Why no call of this message may run. */
function refusalOf({ stopReason }: AssistantMessage): string | undefined {
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

function turnEnd(turnId: string, outcome: TurnOutcome, options: TurnOptions): AgentEvent {
  const { willContinue } = options.finished(outcome)
  return {
    type: 'turn_end',
    turnId,
    messageEntryId: outcome.answer?.entryId ?? null,
    toolResultEntryIds: outcome.results.map(({ entryId }) => entryId),
    usage: outcome.answer?.message.usage ?? noUsage,
    hasToolCalls: outcome.hasToolCalls,
    willContinue,
  }
}
