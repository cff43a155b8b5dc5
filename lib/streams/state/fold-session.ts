// Folds a session's events into its state: transcript, head, open message, running tools, queues.
import type { AgentEvent, EventNamed } from '../events/event.ts'
import { foldCommand, foldDeferred, foldQueue, foldRequests, withoutInput } from './fold-inputs.ts'
import { foldJob, foldTool } from './fold-output.ts'
import type { JobOutput, RunningTool } from './fold-output.ts'
import { foldContext } from './fold-context.ts'
import type { ContextState } from './fold-context.ts'
import { foldFeature } from './fold-features.ts'
import type { FeatureState } from './fold-features.ts'
import type { CommandTraces, QueuedInput } from './fold-inputs.ts'
import { foldCarried, foldContextChange, noContextChanges } from './fold-context-changes.ts'
import type { ContextChanges } from './fold-context-changes.ts'
import type { Entry } from './session-entry.ts'
import { foldMessage } from '../messages/fold-message.ts'
import { foldLabel, foldSettings, foldSummary } from './fold-settings.ts'
import type { ChosenSettings, SummaryNode } from './fold-settings.ts'
import { answererOf, foldRunning, withAnsweringModel } from './fold-running.ts'
import type { RunningState } from './fold-running.ts'
import type { AssistantMessage, Message, Usage } from '../messages/message.ts'
import { addUsage, noUsage } from '../messages/message.ts'
import { restoreResult } from '../log/line-event.ts'
import type { SessionRecord } from '../log/log-line.ts'

export type { Entry } from './session-entry.ts'
export type { SummaryNode } from './fold-settings.ts'
export type { QueuedInput } from './fold-inputs.ts'
export type { RunningTool } from './fold-output.ts'

/** A message between its start and its end. */
export interface OpenMessage {
  readonly entryId: string
  readonly parentId: string | null
  readonly message: Message
  /** Id of the queued input that it delivers. */
  readonly queueId?: string
}

/**
 * A session at one `seq`. `entries`, `summaries`, `labels`, `commands`, `edits`, `pins` and `carried` change in place, so
 * that folding does not cost more as the log grows; those of an older state may later hold more. Everything else is immutable.
 */
export interface SessionState extends ChosenSettings, FeatureState, ContextState, ContextChanges {
  readonly seq: number
  readonly entries: ReadonlyMap<string, Entry>
  /** Nodes of the tree that are not messages. */
  readonly summaries: ReadonlyMap<string, SummaryNode>
  /** Labels by entry. */
  readonly labels: ReadonlyMap<string, string>
  /** Effects of each command, by its `opId`. */
  readonly commands: CommandTraces
  readonly headEntryId: string | null
  readonly running?: RunningState
  readonly open?: OpenMessage
  readonly tools: ReadonlyMap<string, RunningTool>
  readonly queue: readonly QueuedInput[]
  /** Open questions, in order. */
  readonly requests: readonly EventNamed<'ui_request'>[]
  /** Running background jobs, in the order of their starts. */
  readonly jobs: readonly EventNamed<'job_start'>[]
  /** The tails of their live output. */
  readonly jobOutput: JobOutput
  /** Messages that enter the conversation when the current turn has ended, in order. */
  readonly deferred: readonly Message[]
  readonly usage: Usage
  /** How the last run ended. */
  readonly lastEnd?: EventNamed<'agent_end'>
}

/** The state before the first event. */
export function emptySession(): SessionState {
  return {
    seq: 0,
    entries: new Map(),
    summaries: new Map(),
    labels: new Map(),
    ...noContextChanges(),
    commands: new Map(),
    headEntryId: null,
    tools: new Map(),
    queue: [],
    requests: [],
    questions: [],
    plan: [],
    contextAdded: {},
    jobs: [],
    jobOutput: new Map(),
    deferred: [],
    usage: noUsage,
  }
}

/** Applies one record. Accepts in-process events and those read from lines: what a line omits is restored. */
export function foldSession(
  state: SessionState,
  record: Pick<SessionRecord, 'event' | 'seq' | 'runId' | 'opId'> & Partial<Pick<SessionRecord, 'at'>>,
): SessionState {
  foldCommand(state.commands, record, state.queue)
  const next = foldEvent(state, record.event, record)
  return record.seq === undefined || next.seq === record.seq ? next : { ...next, seq: record.seq }
}

/** The messages from the root to `entryId` (default: the head), oldest first. */
export function transcript(state: SessionState, entryId: string | null = state.headEntryId): Message[] {
  return branch(state, entryId).map((entry) => entry.message)
}

/** The entries from the root to `entryId` (default: the head), oldest first. */
export function branch(state: SessionState, entryId: string | null = state.headEntryId): Entry[] {
  return path(state, entryId).flatMap((id) => state.entries.get(id) ?? [])
}

/** The ids of all nodes from the root to `entryId`, oldest first: entries and summaries. */
export function path({ entries, summaries }: SessionState, entryId: string | null): string[] {
  const ids: string[] = []
  const most = entries.size + summaries.size // a log from elsewhere may contain a cycle
  for (let id = entryId; id !== null && ids.length < most;) {
    const node = entries.get(id) ?? summaries.get(id)
    if (node !== undefined) ids.push(id)
    id = node?.parentId ?? null
  }
  return ids.reverse()
}

type Context = Pick<SessionRecord, 'seq' | 'runId'> & Partial<Pick<SessionRecord, 'at'>>

function foldEvent(state: SessionState, event: AgentEvent, context: Context): SessionState {
  switch (event.type) {
    case 'agent_start':
      return foldRunStart(state, event, context)
    case 'turn_start':
    case 'model_fallback':
      return foldRunning(state, event, context.runId)
    case 'message_start':
      return { ...withAnsweringModel(state, answererOf(event)), open: openMessage(event) }
    case 'message_update':
      return foldUpdate(state, event)
    case 'message_end':
      return foldEnd(state, event, context.seq ?? state.seq)
    case 'tool_execution_start':
    case 'tool_execution_update':
    case 'tool_execution_end':
      return { ...state, tools: foldTool(state.tools, event, (start) => argumentsOf(state, start)) }
    case 'turn_end':
    case 'summary_usage':
      return { ...state, usage: addUsage(state.usage, event.usage) }
    case 'agent_end':
      return { ...state, lastEnd: event }
    case 'agent_settled':
      return withoutRun(state)
    case 'queue_update':
      return { ...state, queue: foldQueue(state.queue, event) }
    case 'ui_request':
    case 'ui_resolved':
      return { ...state, requests: foldRequests(state.requests, event) }
    case 'job_start':
    case 'job_update':
    case 'job_end':
    case 'job_lost':
      return { ...state, ...foldJob(state, event) }
    case 'head_moved':
      return { ...state, headEntryId: event.entryId }
    case 'compaction':
    case 'branch_summary':
      return { ...state, ...foldSummary(state, event, context), ...foldCarried(state, event) }
    case 'context_edit':
    case 'context_pin':
      return foldContextChange(state, event, context.seq)
    case 'label':
      return foldLabel(state, event)
    default:
      return foldChoice(state, event)
  }
}

function foldChoice(state: SessionState, event: AgentEvent): SessionState {
  switch (event.type) {
    case 'model_change':
    case 'thinking_level_change':
    case 'active_tools_change':
    case 'queue_mode_change':
    case 'approval_mode_change':
    case 'scenario_change':
    case 'session_info_change':
      return foldSettings(state, event)
    case 'context_added':
      return foldContext(state, event)
    default:
      return foldFeature(state, event)
  }
}

/** Open parts of a crashed run stay in the log, not here. */
function foldRunStart(state: SessionState, event: EventNamed<'agent_start'>, { runId, at }: Context): SessionState {
  return {
    ...withoutOpenMessage(state),
    tools: new Map(),
    running: { runId, turnIndex: 0, ...(at === undefined ? {} : { startedAt: at }), model: event.model },
    model: event.model,
    thinkingLevel: event.thinkingLevel,
    activeTools: event.tools,
  }
}

function openMessage({ entryId, parentId, message, queueId }: EventNamed<'message_start'>): OpenMessage {
  return { entryId, parentId, message, ...(queueId === undefined ? {} : { queueId }) }
}

function withoutRun({ running, ...state }: SessionState): SessionState {
  return state
}

function withoutOpenMessage({ open, ...state }: SessionState): SessionState {
  return state
}

function foldUpdate(state: SessionState, event: EventNamed<'message_update'>): SessionState {
  const open = state.open
  if (open?.entryId !== event.entryId || open.message.role !== 'assistant') return state
  const message = foldMessage(open.message, event.delta)
  return message === open.message ? state : { ...state, open: { ...open, message } }
}

function foldEnd(state: SessionState, event: EventNamed<'message_end'>, seq: number): SessionState {
  const message =
    event.message.role === 'toolResult'
      ? restoreResult(event.message, state.tools.get(event.message.toolCallId)?.end)
      : event.message
  const entry: Entry = { entryId: event.entryId, parentId: event.parentId, message, seq }
  ;(state.entries as Map<string, Entry>).set(event.entryId, entry) // changes in place: see SessionState
  const tools = message.role === 'toolResult' ? withoutTool(state.tools, message.toolCallId) : state.tools
  // an input is delivered when its message has ended: a crash before the line that removes it does not repeat it
  const queue = withoutInput(state.queue, state.open?.queueId)
  const deferred = foldDeferred(state.deferred, event)
  return { ...withoutOpenMessage(state), headEntryId: event.entryId, tools, queue, deferred }
}

function withoutTool(tools: SessionState['tools'], toolCallId: string): SessionState['tools'] {
  if (!tools.has(toolCallId)) return tools
  const rest = new Map(tools)
  rest.delete(toolCallId)
  return rest
}

/** The call's own arguments, if the line omits them. */
function argumentsOf(state: SessionState, event: EventNamed<'tool_execution_start'>): unknown {
  const message = state.entries.get(event.entryId)?.message
  const content: AssistantMessage['content'] = message?.role === 'assistant' ? message.content : []
  const call = content.find((block) => block.type === 'toolCall' && block.id === event.toolCallId)
  return call?.type === 'toolCall' ? call.arguments : undefined
}
