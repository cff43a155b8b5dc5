// Folds chosen settings, summaries and labels of a session. A choice holds until the next one.
import type { EventNamed } from '../events/event.ts'
import type { QueuedInput } from './fold-inputs.ts'
import type { SessionHeader } from '../log/log-line.ts'
import type { ThinkingLevel } from '../models/model.ts'

export interface ChosenSettings {
  readonly model?: string
  readonly thinkingLevel?: ThinkingLevel
  readonly activeTools?: readonly string[]
  /** Tools that a client switched off and nothing has switched on since: at most 500. Absent: none. */
  readonly switchedOff?: readonly string[]
  /** The chosen modes; the others are `one-at-a-time`, or as in the settings. */
  readonly queueModes?: Readonly<Partial<Record<QueuedInput['queue'], 'one-at-a-time' | 'all'>>>
  /** The mode that was chosen last, as the log has it. */
  readonly approvalMode?: string
  /** The phase that holds; absent outside of scenarios. */
  readonly scenario?: LoggedPhase | undefined
  /** The new title: '' if it was removed; absent if the header's title holds. */
  readonly title?: string
}

/** A phase by its names, as the log has it. */
export interface LoggedPhase {
  readonly scenario: string
  readonly phase: string
  /** The model that the session goes back to, while a phase has replaced it. */
  readonly ownModel?: string
  readonly ownThinkingLevel?: ThinkingLevel
}

/** The choices of the command that created the session: they hold until the log has others. */
export function createdChoices({
  chosen: { model, thinkingLevel, tools } = {},
}: Pick<SessionHeader, 'chosen'>): Pick<ChosenSettings, 'model' | 'thinkingLevel' | 'activeTools'> {
  return {
    ...(model === undefined ? {} : { model }),
    ...(thinkingLevel === undefined ? {} : { thinkingLevel }),
    ...(tools === undefined ? {} : { activeTools: tools }),
  }
}

export type SettingsEvent = EventNamed<
  | 'model_change'
  | 'thinking_level_change'
  | 'active_tools_change'
  | 'queue_mode_change'
  | 'approval_mode_change'
  | 'scenario_change'
  | 'session_info_change'
>

/** Applies one choice. */
export function foldSettings<State extends ChosenSettings>(state: State, event: SettingsEvent): State {
  switch (event.type) {
    case 'model_change':
      // a change for one run leaves the session's choices as they are
      return event.ownModel === undefined
        ? { ...state, model: event.to, ...withoutOwnModel(state) }
        : { ...state, model: event.ownModel }
    case 'thinking_level_change':
      return { ...state, thinkingLevel: event.to }
    case 'active_tools_change':
      return { ...state, activeTools: event.to, ...switchedOff(state, event) }
    case 'queue_mode_change':
      return { ...state, queueModes: { ...state.queueModes, [event.queue]: event.to } }
    case 'approval_mode_change':
      return { ...state, approvalMode: event.to }
    case 'scenario_change':
      return { ...state, scenario: loggedPhase(event) }
    case 'session_info_change': {
      const { title } = event.to
      return typeof title === 'string' ? { ...state, title } : state
    }
  }
}

const mostSwitchedOff = 500

/** Only a client's choice lasts: a tool also leaves with its extension, its server or its layer. */
function switchedOff(
  { switchedOff: before = [] }: ChosenSettings,
  { from = [], to, by = 'client' }: EventNamed<'active_tools_change'>,
): Pick<ChosenSettings, 'switchedOff'> {
  const off = [...before, ...(by === 'client' ? from : [])].filter((name) => !to.includes(name))
  if (before.length + off.length === 0) return {}
  return { switchedOff: [...new Set(off)].slice(-mostSwitchedOff) }
}

function loggedPhase(event: EventNamed<'scenario_change'>): LoggedPhase | undefined {
  const { scenario, phase, ownModel, ownThinkingLevel } = event
  if (scenario === undefined || phase === undefined) return undefined
  return { scenario, phase, ...(ownModel && { ownModel }), ...(ownThinkingLevel && { ownThinkingLevel }) }
}

/** The chosen model is the session's own; the change of a phase that follows says otherwise. */
function withoutOwnModel({ scenario }: ChosenSettings): Pick<ChosenSettings, 'scenario'> {
  if (scenario?.ownModel === undefined) return {}
  const { ownModel: _, ownThinkingLevel: __, ...phase } = scenario
  return { scenario: phase }
}

/** A node of the tree that replaces messages: those before it (`compaction`), or of an abandoned branch. */
export interface SummaryNode {
  readonly parentId: string | null
  readonly event: EventNamed<'compaction' | 'branch_summary'>
  readonly seq: number
  /** Unix ms. */
  readonly at: number
}

interface Nodes {
  readonly summaries: ReadonlyMap<string, SummaryNode>
  readonly seq: number
}

/** Adds a compaction or a branch summary as a node of the tree and as its head. */
export function foldSummary(
  state: Nodes,
  event: SummaryNode['event'],
  { seq = state.seq, at = 0 }: { readonly seq?: number | undefined; readonly at?: number },
): { readonly headEntryId: string } {
  const node: SummaryNode = { parentId: event.parentId, event, seq, at }
  ;(state.summaries as Map<string, SummaryNode>).set(event.entryId, node) // changes in place: see SessionState
  return { headEntryId: event.entryId }
}

/** Sets the label of an entry. */
export function foldLabel<State extends { readonly labels: ReadonlyMap<string, string> }>(
  state: State,
  { targetEntryId, label }: EventNamed<'label'>,
): State {
  const labels = state.labels as Map<string, string> // changes in place: see SessionState
  if (label === null || label === '') labels.delete(targetEntryId)
  else labels.set(targetEntryId, label)
  return state
}
