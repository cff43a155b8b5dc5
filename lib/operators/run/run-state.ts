// The state of a run: a pure reducer over the run's events, and the plan of its next turn.
import type { AgentEvent } from '../../streams/events/event.ts'
import { innerCalls } from '../../streams/messages/inner-call.ts'
import type { AssistantMessage, ToolCall, Usage } from '../../streams/messages/message.ts'
import { addUsage, noUsage } from '../../streams/messages/message.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import type { Failure } from '../../streams/values/failure.ts'
import type { QueueName, Queues, RunInput } from '../ports/run-ports.ts'
import type { FinishedTurn, StopRule } from '../../streams/ports/hooks.ts'
import type { CalledTool } from '../tool-calls/call-tools.ts'
import { countCalls, noCalls } from './repeat-call-guard.ts'
import type { CallRow } from './repeat-call-guard.ts'
import { endByRules, unpricedBudgets } from './stop-when.ts'
import type { RunEnd } from './stop-when.ts'

/** An event of the run, or the failure that ended the turn's answer: no event carries it as it was thrown. */
export type RunEvent = AgentEvent | { readonly type: 'answer_failed'; readonly failure: Failure }

/** The turn under way, or the last one that has ended. */
export interface TurnOutcome {
  readonly turnId: string
  /** Missing if the run was stopped before anything was visible. */
  readonly message?: AssistantMessage
  readonly messageEntryId?: string
  readonly results: readonly CalledTool[]
  /** Ids of calls whose result asks for the run's end. */
  readonly terminating: readonly string[]
}

/** The input that a run begins with: a prompt, or the queue to take from; without both it answers the transcript's end. */
export interface RunStart {
  readonly prompt?: RunInput
  readonly take?: QueueName
}

export interface RunState {
  readonly start: RunStart
  /** Turns that have ended. */
  readonly turns: number
  /** Of all turns that have ended, and of compactions. */
  readonly usage: Usage
  readonly turn: TurnOutcome
  /** True if the last turn left tool results for the model to answer. */
  readonly hasResults: boolean
  readonly row: CallRow
  /** Rules that cannot apply their limit, and were warned of. */
  readonly warned: readonly StopRule[]
  /** To be emitted after the last turn's `turn_end`. */
  readonly warnings: readonly AgentEvent[]
  /** Set when the run ends for another reason than that nothing is left to do. */
  readonly end?: RunEnd
}

/** The plan of one turn. */
export interface TurnPlan {
  /** From 0 within the run. */
  readonly turnIndex: number
  /** The prompt's message, in the first turn of a run. */
  readonly prompt?: RunInput
  /** The queue to take from, after the prompt. Waiting steering goes first in any case. */
  readonly queue: QueueName
  /** True if the turn answers a prompt or tool results. False: it makes a request only if the queue holds an input. */
  readonly hasQuestion: boolean
  /** Of the answer before this turn's. */
  readonly usage: Usage | undefined
}

export function startRun({ prompt, take }: RunStart): RunState {
  return {
    start: { ...(prompt === undefined ? {} : { prompt }), ...(take === undefined ? {} : { take }) },
    turns: 0,
    usage: noUsage,
    turn: newTurn(''),
    hasResults: false,
    row: noCalls,
    warned: [],
    warnings: [],
  }
}

/** The state after one event of a turn. Events that say nothing about the run's course leave it as it is. */
export function reduceRun(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case 'turn_start':
      return { ...state, turn: newTurn(event.turnId) }
    case 'message_end':
      return reduceMessage(state, event)
    case 'tool_execution_end': {
      if (event.terminate !== true) return state
      const terminating = [...state.turn.terminating, event.toolCallId]
      return { ...state, turn: { ...state.turn, terminating } }
    }
    case 'compaction':
    case 'summary_usage':
      return event.usage === undefined ? state : { ...state, usage: addUsage(state.usage, event.usage) }
    case 'answer_failed':
      return { ...state, end: endByFailure(event.failure) }
    default:
      return state
  }
}

/** The plan of the next turn; undefined: the run ends. The first turn takes place even if the run was stopped before it. */
export function nextTurn(
  state: RunState,
  queues: Pick<Queues, 'size'>,
  stop: Pick<StopSwitch, 'reason'>,
): TurnPlan | undefined {
  const { start, turns, turn, hasResults, end } = state
  const { prompt, take } = start
  if (turns === 0)
    return {
      turnIndex: 0,
      ...(prompt === undefined ? {} : { prompt }),
      queue: take ?? 'steering',
      hasQuestion: take === undefined,
      usage: undefined,
    }
  if (stop.reason !== undefined || end !== undefined) return undefined
  const queue = hasResults || queues.size('steering') > 0 ? 'steering' : 'followUp'
  if (!hasResults && queues.size(queue) === 0) return undefined
  return { turnIndex: turns, queue, hasQuestion: hasResults, usage: turn.message?.usage }
}

/** Counts the turn that has just ended, applies the stop rules and collects the warnings to emit. */
export function endTurn(
  state: RunState,
  { stopWhen, queues }: { readonly stopWhen: readonly StopRule[]; readonly queues: Pick<Queues, 'size'> },
  stop: Pick<StopSwitch, 'reason'>,
): RunState {
  const { message, results } = state.turn
  const { row, longest, warnings } = countCalls(state.row, callsOf(message))
  const isTerminated = results.length > 0 && results.every(({ terminate }) => terminate)
  const counted: RunState = {
    ...state,
    turns: state.turns + 1,
    usage: addUsage(state.usage, message?.usage ?? noUsage),
    hasResults: hasToolCalls(state.turn) && !isTerminated,
    row,
  }
  const finished = finishedTurn(counted, longest)
  const unpriced = unpricedBudgets(stopWhen, finished, state.warned)
  const willContinue = nextTurn(counted, queues, stop) !== undefined
  const terminated: RunEnd | undefined = isTerminated ? { terminationReason: 'terminated' } : undefined
  const end = willContinue ? endByRules(stopWhen, finished) : (counted.end ?? terminated)
  return {
    ...counted,
    warned: [...state.warned, ...unpriced.map(({ rule }) => rule)],
    warnings: [...warnings, ...unpriced.map(({ warning }) => warning)],
    ...(end === undefined ? {} : { end }),
  }
}

/** The end of the run: a stop comes before an end of its own. */
export function endOfRun({ end }: RunState, { reason, failure }: Pick<StopSwitch, 'reason' | 'failure'>): RunEnd {
  if (reason === undefined) return end ?? { terminationReason: 'completed' }
  return { terminationReason: reason, ...(failure === undefined ? {} : { failure }) }
}

/** Tool calls are decided by content, not by stop reason (docs/loop.md#14). */
export function hasToolCalls({ message }: Pick<TurnOutcome, 'message'>): boolean {
  return callsOf(message).length > 0
}

function newTurn(turnId: string): TurnOutcome {
  return { turnId, results: [], terminating: [] }
}

function reduceMessage(state: RunState, { entryId, message }: Extract<AgentEvent, { type: 'message_end' }>): RunState {
  const { turn } = state
  if (message.role === 'assistant') {
    const isFailed = message.stopReason === 'error'
    return {
      ...state,
      turn: { ...turn, message, messageEntryId: entryId },
      ...(isFailed ? { end: { terminationReason: 'error' } } : {}),
    }
  }
  if (message.role !== 'toolResult') return state
  const result = { entryId, message, terminate: turn.terminating.includes(message.toolCallId) }
  return { ...state, turn: { ...turn, results: [...turn.results, result] } }
}

function endByFailure(failure: Failure): RunEnd {
  return { terminationReason: failure.data.kind === 'stall' ? 'idle_timeout' : 'error', failure }
}

function callsOf(message: AssistantMessage | undefined): ToolCall[] {
  return innerCalls(message?.content ?? [])
}

function finishedTurn({ turns, usage, turn }: RunState, sameCalls: number): FinishedTurn {
  return { turns, usage, message: turn.message, results: turn.results.map(({ message }) => message), sameCalls }
}
