// Rebuilds a command's response from the lines that it left in the log.
import { Failure } from '../../streams/values/failure.ts'
import type { CommandTrace } from '../../streams/state/fold-inputs.ts'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import { messageText } from '../../streams/messages/message-text.ts'
import { isSameJson } from '../../streams/values/json.ts'
import { isInputOf } from './expand-input.ts'
import type { InputMessage } from './expand-input.ts'
import type { Input } from './validate-input.ts'
import { compactionResult } from './compact-session.ts'
import { maxListed } from './restore-messages.ts'
import type { SessionCommand } from '../contract/session.ts'

/**
 * Returns the response of an earlier command with the same `opId`; undefined if there was none of its kind. For a
 * `set_model` it returns the model's name.
 * @throws Failure `bad_request` if that command had another body
 */
export function replayResponse(
  command: SessionCommand,
  opId: string,
  traces: readonly CommandTrace[] = [],
): object | undefined {
  const found = traces.flatMap((trace) => matchTrace(command, trace) ?? [])
  const [first] = found
  if (first === undefined) return undefined
  if (!found.every(({ isSame }) => isSame)) throw opIdReused(command, opId)
  if (command.type === 'undo' || command.type === 'branch_session')
    return { ...first.answer, ...restoredFiles(command, traces) }
  return command.type === 'clear_queue' ? { cleared: countCleared(traces) } : first.answer
}

interface TraceMatch {
  readonly isSame: boolean
  readonly answer: object
}

/** Undefined if such a command does not leave this line. */
function matchTrace(command: SessionCommand, { runId, event }: CommandTrace): TraceMatch | undefined {
  switch (command.type) {
    case 'prompt':
      return matchStart(command, event, runId) ?? matchQueued(undefined, command, event, { status: 'queued' })
    case 'steer':
      return matchQueued('steering', command, event)
    case 'follow_up':
      return matchQueued('followUp', command, event)
    case 'continue':
      return event.type === 'agent_start' ? { isSame: true, answer: { status: 'started', runId } } : undefined
    case 'clear_queue':
    case 'edit_queued':
    case 'remove_queued':
      return event.type === 'queue_update' ? matchQueueUpdate(command, event) : undefined
    case 'user_bash':
      return event.type === 'job_start' ? matchJob(command, event) : undefined
    case 'ui_response':
      return event.type === 'ui_resolved' || event.type === 'question_resolved'
        ? { isSame: isResponse(command, event), answer: {} }
        : undefined
    default:
      return matchChange(command, event)
  }
}

type Named<Name extends SessionCommand['type']> = Extract<SessionCommand, { type: Name }>

function matchStart(command: Named<'prompt'>, event: AgentEvent, runId: string | undefined): TraceMatch | undefined {
  if (event.type !== 'message_end' || event.message.role !== 'user') return undefined
  return { isSame: isInputOf(event.message, command), answer: { status: 'started', runId } }
}

function matchQueued(
  queue: string | undefined,
  input: Input,
  event: AgentEvent,
  more: object = {},
): TraceMatch | undefined {
  if (event.type !== 'queue_update' || event.op !== 'add') return undefined
  if (queue !== undefined && event.queue !== queue) return undefined
  return { isSame: isInputOf(recordedInput(event), input), answer: { ...more, queueId: event.queueId } }
}

function recordedInput({ content = '', invocation }: EventNamed<'queue_update'>): InputMessage {
  return { content, ...(invocation === undefined ? {} : { invocation }) }
}

const queueOps = { clear_queue: 'clear', edit_queued: 'edit', remove_queued: 'remove' } as const

function matchQueueUpdate(
  command: Named<'clear_queue' | 'edit_queued' | 'remove_queued'>,
  event: EventNamed<'queue_update'>,
): TraceMatch | undefined {
  if (event.op !== queueOps[command.type]) return undefined
  if (command.type === 'clear_queue')
    return { isSame: command.queue === undefined || command.queue === event.queue, answer: {} }
  const isSameInput = event.queueId === command.queueId
  if (command.type === 'remove_queued') return { isSame: isSameInput, answer: {} }
  return { isSame: isSameInput && isInputOf(recordedInput(event), command), answer: {} }
}

type SettingChange = Named<
  | 'set_model'
  | 'set_thinking_level'
  | 'set_active_tools'
  | 'set_queue_mode'
  | 'set_approval_mode'
  | 'set_scenario_phase'
>

function matchSetting(command: SettingChange, event: AgentEvent): TraceMatch | undefined {
  switch (command.type) {
    case 'set_model':
      return event.type === 'model_change'
        ? { isSame: isNamed(command, event.to), answer: { chosen: event.to } }
        : undefined
    case 'set_thinking_level':
      return event.type === 'thinking_level_change' ? emptyMatch(event.to === command.thinkingLevel) : undefined
    case 'set_active_tools':
      return event.type === 'active_tools_change'
        ? emptyMatch(isSameJson(event.to, [...new Set(command.tools)]))
        : undefined
    case 'set_queue_mode':
      return event.type === 'queue_mode_change'
        ? emptyMatch(event.queue === command.queue && event.to === command.mode)
        : undefined
    case 'set_scenario_phase':
      return event.type === 'scenario_change' ? matchPhase(command, event) : undefined
    case 'set_approval_mode':
      return event.type === 'approval_mode_change' ? emptyMatch(event.to === command.mode) : undefined
  }
}

function matchPhase(
  command: Named<'set_scenario_phase'>,
  { scenario, phase }: EventNamed<'scenario_change'>,
): TraceMatch {
  const answer = scenario === undefined || phase === undefined ? {} : { scenario, phase }
  const isSameScenario = command.scenario === undefined || (command.scenario ?? undefined) === scenario
  return { isSame: isSameScenario && (command.phase === undefined || command.phase === phase), answer }
}

function matchChange(
  command:
    | SettingChange
    | Named<'abort' | 'kill_job' | 'branch_session' | 'rename_session' | 'set_label' | 'undo'>
    | Named<'compact' | 'context_edit' | 'context_pin'>,
  event: AgentEvent,
): TraceMatch | undefined {
  switch (command.type) {
    case 'branch_session':
      if (event.type === 'branch_summary')
        return { isSame: event.parentId === command.entryId, answer: { headEntryId: event.entryId } }
      return event.type === 'head_moved' && event.summaryEntryId === undefined
        ? { isSame: event.entryId === command.entryId, answer: { headEntryId: event.entryId } }
        : undefined
    case 'rename_session':
      return event.type === 'session_info_change' ? emptyMatch(event.to['title'] === command.title) : undefined
    case 'set_label':
      return event.type === 'label'
        ? emptyMatch(event.targetEntryId === command.entryId && (event.label ?? '') === (command.label ?? ''))
        : undefined
    case 'undo':
      return event.type === 'head_moved' ? { isSame: true, answer: { headEntryId: event.entryId } } : undefined
    case 'compact':
      return event.type === 'compaction'
        ? { isSame: event.focus === command.focus, answer: compactionResult(event) }
        : undefined
    case 'context_edit':
    case 'context_pin':
      return event.type === command.type ? emptyMatch(isSameChange(command, event)) : undefined
    case 'abort':
    case 'kill_job':
      return undefined // they leave no line, and may run twice
    default:
      return matchSetting(command, event)
  }
}

function isSameChange(
  command: Named<'context_edit' | 'context_pin'>,
  event: EventNamed<'context_edit' | 'context_pin'>,
): boolean {
  if (event.targetEntryId !== command.entryId) return false
  if (event.type === 'context_pin') return command.type === 'context_pin' && event.pinned === command.pinned
  const { replacement } = event
  if (command.type === 'context_pin' || replacement === null)
    return command.type === 'context_edit' && command.hide === true
  return command.text === undefined || messageText(replacement) === command.text
}

function matchJob({ command, exclude = false }: Named<'user_bash'>, started: EventNamed<'job_start'>): TraceMatch {
  const { jobId, excludeFromContext = false } = started
  return { isSame: started.command === command && excludeFromContext === exclude, answer: { jobId } }
}

function isResponse(command: Named<'ui_response'>, event: EventNamed<'ui_resolved' | 'question_resolved'>): boolean {
  const { requestId, outcome } = event
  const text = event.type === 'ui_resolved' ? event.text : undefined
  return command.requestId === requestId && isSameJson(command.outcome, outcome) && command.text === text
}

function emptyMatch(isSame: boolean): TraceMatch {
  return { isSame, answer: {} }
}

/** `demo` stands for `demo/guide`. */
function isNamed({ model }: Named<'set_model'>, chosen: string): boolean {
  const name = typeof model === 'string' ? model : `${model.model.provider}/${model.model.id}`
  return chosen === name || chosen.startsWith(`${name}/`)
}

function countCleared(traces: readonly CommandTrace[]): number {
  return traces.reduce((sum, { cleared = 0 }) => sum + cleared, 0)
}

/** The restored files, if the command restored files. */
function restoredFiles(command: Named<'undo' | 'branch_session'>, traces: readonly CommandTrace[]): object {
  if (command.type === 'branch_session' && command.restoreFiles !== true) return {}
  const event = traces.map((trace) => trace.event).find(({ type }) => type === 'files_restored')
  const { paths = [], kept: skipped = [] } = event?.type === 'files_restored' ? event : {}
  return { paths: paths.slice(0, maxListed), kept: skipped }
}

/** The error if one `opId` names two different commands of a kind. */
export function opIdReused({ type }: SessionCommand, opId: string): Failure {
  return new Failure('bad_request', `opId "${opId}" was already used for another ${type}; use a new one`)
}
