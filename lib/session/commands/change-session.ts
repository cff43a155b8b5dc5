// Changes settings, queues, title, labels and head; state first, then the event.
import { defer, map, of, take, throwIfEmpty, asyncScheduler } from 'rxjs'
import type { Observable } from 'rxjs'
import type { QueueName } from '../../operators/ports/run-ports.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { contextMessages } from '../../streams/state/context-messages.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import { requireEntry } from '../../streams/state/require-entry.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { editContext, pinEntry } from './edit-context.ts'
import { busyFailure, untilSettled } from './validate-input.ts'
import type { SessionCommand, SessionCommandType } from '../contract/session.ts'
import type { SessionCore } from '../runs/session-core.ts'

/** The commands that change a session. */
export type ChangeType = Exclude<
  SessionCommandType,
  | 'prompt'
  | 'steer'
  | 'follow_up'
  | 'edit_queued'
  | 'abort'
  | 'continue'
  | 'undo'
  | 'ui_response'
  | 'user_bash'
  | 'kill_job'
  | 'compact'
>
type Change<Name extends ChangeType = ChangeType> = Extract<SessionCommand, { type: Name }>

/**
 * Makes the change and emits its effect once; synchronous, unless a model takes time to be found.
 * @throws Failure `bad_request` for a name or id that is not there, `busy` if a run keeps the head from moving
 */
export function changeSession(command: Change, target: CommandContext): Observable<CommandEffect> {
  const { queues, settings } = target.core
  switch (command.type) {
    case 'clear_queue':
      return of(clearQueues(command.queue, target))
    case 'remove_queued':
      return effectOf(queues.remove(command.queueId))
    case 'set_queue_mode':
      return effectOf(setQueueMode(command, target))
    case 'set_approval_mode':
      return effectOf(settings.setApprovalMode(command.mode))
    case 'set_scenario_phase':
      return setScenarioPhase(command, target.core)
    case 'set_thinking_level':
      return effectOf(settings.setThinkingLevel(command.thinkingLevel))
    case 'set_active_tools':
      return effectOf(settings.setActiveTools(command.tools))
    case 'set_model':
      return findModel(command.model, target).pipe(
        map((chosen) => ({ events: setModel(chosen, settings), result: { model: chosen.model } })),
      )
    case 'branch_session':
      return command.newFile === true ? branchInNewFile(command.entryId, target) : of(moveHead(command.entryId, target))
    case 'rename_session':
      return effectOf(renameEvent(command.title, target))
    case 'set_label':
      return effectOf(labelEvent(command, target))
    case 'context_edit':
      return effectOf(editContext(command, target))
    case 'context_pin':
      return effectOf(pinEntry(command, target))
  }
}

function effectOf(event: AgentEvent): Observable<CommandEffect> {
  return of({ events: [event], result: {} })
}

/** A model of a role may bring its thinking level. */
function setModel(chosen: ProviderModel, settings: SessionCore['settings']): readonly AgentEvent[] {
  const change = settings.setModel(chosen)
  const { thinkingLevel } = chosen
  const isSame = thinkingLevel === undefined || thinkingLevel === settings.own().thinkingLevel
  return isSame ? [change] : [change, settings.setThinkingLevel(thinkingLevel)]
}

function setScenarioPhase(
  { scenario: name, phase }: Change<'set_scenario_phase'>,
  { scenario }: SessionCore,
): Observable<CommandEffect> {
  if (name === null) {
    if (phase !== undefined) throw new Failure('bad_request', 'A phase belongs to a scenario: name both, or none')
    return scenario.findOwn().pipe(map((own) => ({ events: scenario.leave(own, 'client'), result: {} })))
  }
  return scenario.find(name, phase).pipe(
    map((choice) => ({
      events: scenario.enter(choice, 'client'),
      result: { scenario: choice.scenario.name, phase: choice.phase.name },
    })),
  )
}

function clearQueues(queue: QueueName | undefined, { core: { queues } }: CommandContext): CommandEffect {
  const names: readonly QueueName[] = queue === undefined ? ['steering', 'followUp'] : [queue]
  const filled = names.filter((name) => queues.size(name) > 0)
  const cleared = filled.reduce((sum, name) => sum + queues.size(name), 0)
  return { events: filled.map((name) => queues.clear(name)), result: { cleared } }
}

function setQueueMode({ queue, mode }: Change<'set_queue_mode'>, { core: { queues } }: CommandContext): AgentEvent {
  const from = queues.mode(queue)
  queues.setMode(queue, mode)
  return { type: 'queue_mode_change', queue, from, to: mode, by: 'client' }
}

/** @throws Failure `bad_request` if the session finds no models by name */
export function findModel(
  model: string | ProviderModel,
  { core }: Pick<CommandContext, 'core'>,
): Observable<ProviderModel> {
  if (typeof model === 'object') return of(model)
  const { resolveModel } = core.parts
  if (resolveModel === undefined)
    throw new Failure(
      'bad_request',
      `This session cannot find models by name ("${model}"); pass a model with its provider`,
    )
  return defer(() => resolveModel(model)).pipe(
    take(1),
    throwIfEmpty(() => new Failure('bad_request', `There is no model "${model}"`)),
  )
}

/** Moves the head. @throws Failure `busy` if a run is on, `bad_request` if there is no such entry */
export function moveHead(
  entryId: string | null,
  { core: { conversation }, state, isRunning }: CommandContext,
): CommandEffect {
  if (isRunning) throw busyFailure(untilSettled)
  if (entryId !== null) requireEntry(state, entryId)
  conversation.moveTo(entryId, contextMessages(state, entryId))
  return { events: [{ type: 'head_moved', entryId }], result: { headEntryId: entryId } }
}

function renameEvent(title: string, { core, state }: CommandContext): AgentEvent {
  const before = state.title ?? core.parts.log.header.title
  const from = before === undefined ? {} : { from: { title: before } }
  return { type: 'session_info_change', ...from, to: { title }, by: 'client' }
}

function labelEvent({ entryId, label }: Change<'set_label'>, { state }: CommandContext): AgentEvent {
  requireEntry(state, entryId)
  return { type: 'label', targetEntryId: entryId, label: label === '' ? null : label, by: 'client' }
}

/** Emits once, without events: this session stays as it is, also during a run. @throws Failure `bad_request` */
function branchInNewFile(entryId: string | null, { core, state, opId }: CommandContext): Observable<CommandEffect> {
  const { copyBranch, log } = core.parts
  if (copyBranch === undefined)
    throw new Failure('bad_request', 'This session has no store for a new file; open the session with a store')
  const branch = { log, state, entryId, opId, ids: core.ids, now: asyncScheduler.now() }
  return copyBranch(branch).pipe(map((result) => ({ events: [], result })))
}

/** The events of a change, and the result of its command. */
export interface CommandEffect {
  readonly events: readonly AgentEvent[]
  readonly result: object
}

/** The inputs of a change. */
export interface CommandContext {
  readonly core: SessionCore
  readonly state: SessionState
  readonly isRunning: boolean
  /** The command's. */
  readonly opId?: string | undefined
}
