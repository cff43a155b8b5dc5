// Builds the events that close a run which a killed process left unfinished.
//
// Guarantees: everything that started ends, also after a crash (AGENTS.md, law 5).
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import { foldMessage } from '../../streams/messages/fold-message.ts'
import type { OpenMessage, SessionState } from '../../streams/state/fold-session.ts'
import type { AssistantMessage, ToolCall, ToolResultMessage } from '../../streams/messages/message.ts'
import { noUsage, addUsage } from '../../streams/messages/message.ts'
import { innerCalls } from '../../streams/messages/inner-call.ts'
import type { InnerCall } from '../../streams/messages/inner-call.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import type { UnfinishedRun, UnfinishedTurn } from './unfinished-run.ts'
import { planTool } from '../../streams/ports/scenarios.ts'

export interface RecoveryOptions {
  /** The folded log, with its open message, calls and questions. */
  readonly state: SessionState
  readonly run: UnfinishedRun
  /** The checkpoints of the open message. */
  readonly checkpoints: Iterable<SessionRecord>
  /** Unix milliseconds. */
  readonly now: number
  nextEntryId(): string
}

/**
 * Returns the events that close an unfinished run, in order: the open message as `aborted`, a result for each call
 * without one, `turn_end`, `agent_end` as `crashed`, `agent_settled`. Queued inputs stay queued; an input that was being
 * delivered is delivered. A prompt without written text was not acknowledged: it ends empty, and the head goes back to
 * before it. Pure.
 */
export function closeUnfinishedRun(options: RecoveryOptions): AgentEvent[] {
  const { run } = options
  const { turn } = run
  const events: AgentEvent[] = []
  const ended = turn === undefined ? undefined : endTurn(turn, options, events)
  if (!run.hasEnded) events.push(crashedEnd(run, ended))
  events.push({ type: 'agent_settled' })
  return events
}

/** The turn, with the parts that recovery has added. */
interface TurnProgress {
  readonly turn: UnfinishedTurn
  answer: UnfinishedTurn['answer']
  headEntryId: string | null
  readonly results: Map<string, string>
}

function endTurn(turn: UnfinishedTurn, options: RecoveryOptions, events: AgentEvent[]): EventNamed<'turn_end'> {
  const { headEntryId, open } = options.state
  const progress: TurnProgress = { turn, answer: turn.answer, headEntryId, results: new Map(turn.results) }
  const wasComplete = turn.answer !== undefined
  if (open !== undefined) events.push(...endMessage(open, progress, options))
  const calls = callsOf(progress.answer?.message)
  const unanswered = calls.filter(({ id }) => !progress.results.has(id))
  events.push(...unanswered.flatMap((call) => startOf(call, progress)))
  const ends = unanswered.map((call) => turn.ended.get(call.id) ?? endOf(call, { turn, run: options.run, wasComplete }))
  events.push(...ends.filter(({ toolCallId }) => !turn.ended.has(toolCallId)))
  for (const end of ends) events.push(...resultOf(end, progress, options))
  const end = turnEnd(progress, calls.length > 0)
  events.push(end)
  return end
}

function endMessage(open: OpenMessage, progress: TurnProgress, options: RecoveryOptions): AgentEvent[] {
  const { entryId, parentId } = open
  const message = completeMessage(open, progress.turn, options)
  const end: AgentEvent = { type: 'message_end', entryId, parentId, message }
  progress.headEntryId = entryId
  if (message.role === 'assistant') progress.answer = { entryId, message }
  if (message.role === 'toolResult') progress.results.set(message.toolCallId, entryId)
  if (message.role !== 'user' || message.content.length > 0) return [end]
  progress.headEntryId = parentId
  return [end, { type: 'head_moved', entryId: parentId }]
}

function completeMessage(
  { message, entryId, queueId }: OpenMessage,
  { ended }: UnfinishedTurn,
  { state, run, checkpoints }: RecoveryOptions,
): OpenMessage['message'] {
  switch (message.role) {
    case 'assistant':
      return abortedAnswer(message, checkpointsOf(entryId, checkpoints), run.lastAt)
    case 'toolResult': {
      const { content = [], details, isError = true } = ended.get(message.toolCallId) ?? {}
      return { ...message, content, isError, ...(details === undefined ? {} : { details }) }
    }
    case 'user': {
      const queued = state.queue.find((input) => input.queueId === queueId)
      return { ...message, content: queued?.content ?? [] }
    }
    default:
      return message
  }
}

function* checkpointsOf(entryId: string, checkpoints: Iterable<SessionRecord>): Generator<Checkpoint> {
  for (const { at, event } of checkpoints) {
    if (event.type === 'message_update' && event.entryId === entryId) yield { at, delta: event.delta }
  }
}

interface Checkpoint extends Pick<EventNamed<'message_update'>, 'delta'> {
  readonly at: number
}

/** Blocks without a checkpoint leave no gap. */
function abortedAnswer(start: AssistantMessage, checkpoints: Iterable<Checkpoint>, lastAt: number): AssistantMessage {
  const indexes = new Map<number, number>()
  let message = start
  let endedAt = lastAt
  for (const { at, delta } of checkpoints) {
    const contentIndex = indexes.get(delta.contentIndex) ?? indexes.size
    indexes.set(delta.contentIndex, contentIndex)
    message = foldMessage(message, { ...delta, contentIndex })
    endedAt = at
  }
  return { ...message, stopReason: 'aborted', durationMs: Math.max(0, endedAt - message.timestamp) }
}

function callsOf(message: AssistantMessage | undefined): InnerCall[] {
  return innerCalls(message?.content ?? [])
}

function startOf({ id, name, arguments: args, via }: InnerCall, { turn, answer }: TurnProgress): AgentEvent[] {
  if (turn.started.has(id) || answer === undefined) return []
  return [
    {
      type: 'tool_execution_start',
      toolCallId: id,
      toolName: name,
      entryId: answer.entryId,
      args,
      ...(via && { via }),
    },
  ]
}

interface Crash {
  readonly turn: UnfinishedTurn
  readonly run: UnfinishedRun
  /** True if the answer with the call had ended. */
  readonly wasComplete: boolean
}

/** Only a started call can have had an effect. A plan has none, and is proposed again (docs/decisions/0490). */
function endOf({ id, name }: ToolCall, { turn, run, wasComplete }: Crash): EventNamed<'tool_execution_end'> {
  const startedAt = turn.started.get(id)
  const text = name === planTool && wasComplete ? planText : interruptedText(startedAt !== undefined, wasComplete)
  const durationMs = startedAt === undefined ? 0 : Math.max(0, run.lastAt - startedAt)
  const content = [{ type: 'text' as const, text }]
  return { type: 'tool_execution_end', toolCallId: id, toolName: name, isError: true, content, durationMs }
}

const planText = 'the process ended before a person answered this plan; nothing was changed, and it is proposed again'

function interruptedText(hasStarted: boolean, wasComplete: boolean): string {
  if (hasStarted) return 'the process ended while this ran; it may have taken effect'
  return wasComplete
    ? 'the process ended before this ran; it was not run'
    : 'the process ended before the answer was complete; this call was not run'
}

function resultOf(
  end: EventNamed<'tool_execution_end'>,
  progress: TurnProgress,
  options: RecoveryOptions,
): AgentEvent[] {
  const { toolCallId, toolName, content, details, isError, durationMs } = end
  const entryId = options.nextEntryId()
  const parentId = progress.headEntryId
  const start = { role: 'toolResult', toolCallId, toolName, isError, timestamp: options.now, durationMs } as const
  const message: ToolResultMessage = { ...start, content, ...(details === undefined ? {} : { details }) }
  progress.headEntryId = entryId
  progress.results.set(toolCallId, entryId)
  return [
    { type: 'message_start', entryId, parentId, message: { ...start, content: [] } },
    { type: 'message_end', entryId, parentId, message },
  ]
}

function turnEnd({ turn, answer, results }: TurnProgress, hasToolCalls: boolean): EventNamed<'turn_end'> {
  return {
    type: 'turn_end',
    turnId: turn.turnId,
    messageEntryId: answer?.entryId ?? null,
    toolResultEntryIds: [...results.values()],
    usage: answer?.message.usage ?? noUsage,
    hasToolCalls,
    willContinue: false,
  }
}

function crashedEnd(run: UnfinishedRun, turn: EventNamed<'turn_end'> | undefined): AgentEvent {
  return {
    type: 'agent_end',
    totalTurns: run.turns + (turn === undefined ? 0 : 1),
    usage: addUsage(run.usage, turn?.usage ?? noUsage),
    durationMs: Math.max(0, run.lastAt - run.startedAt),
    terminationReason: 'crashed',
  }
}
