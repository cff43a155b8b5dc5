// Folds edits and pins of a model's context, and the entries that compactions carry.
import type { EventNamed } from '../events/event.ts'
import type { Message, Usage } from '../messages/message.ts'
import { addUsage } from '../messages/message.ts'
import type { SummaryNode } from './fold-settings.ts'
import type { Entry } from './session-entry.ts'

/** The text of a tool result that a person has hidden: its call needs an answer. */
export const hiddenResultText = '[hidden by the user]'

/** The last `context_edit` of an entry. */
export interface ContextEdit {
  /** Null: the model does not receive the entry. */
  readonly replacement: Message | null
  readonly seq: number
}

/** The maps and the set change in place, as `entries` do. */
export interface ContextChanges {
  /** By entry. */
  readonly edits: ReadonlyMap<string, ContextEdit>
  /** Entries that compactions keep. */
  readonly pins: ReadonlySet<string>
  /** Pinned and carried entries with their messages: a compacted session is opened without reading theirs again. */
  readonly carried: ReadonlyMap<string, Entry>
}

export function noContextChanges(): ContextChanges {
  return { edits: new Map(), pins: new Set(), carried: new Map() }
}

interface Folded extends ContextChanges {
  readonly entries: Pick<ReadonlyMap<string, Entry>, 'get'>
  readonly usage: Usage
  readonly seq: number
}

/** Applies an edit or a pin, in place. */
export function foldContextChange<State extends Folded>(
  state: State,
  event: EventNamed<'context_edit' | 'context_pin'>,
  seq: number = state.seq,
): State {
  const { targetEntryId } = event
  if (event.type === 'context_edit') {
    ;(state.edits as Map<string, ContextEdit>).set(targetEntryId, { replacement: event.replacement, seq })
    return state
  }
  const pins = state.pins as Set<string>
  if (!event.pinned) pins.delete(targetEntryId)
  else {
    pins.add(targetEntryId)
    carry(state, [targetEntryId])
  }
  return state
}

/** Remembers the entries that a compaction carries, and counts what its summary cost. */
export function foldCarried(
  state: Folded,
  event: EventNamed<'compaction' | 'branch_summary'>,
): { readonly usage: Usage } {
  if (event.type === 'branch_summary') return { usage: state.usage }
  carry(state, event.carriedEntryIds ?? [])
  return { usage: event.usage === undefined ? state.usage : addUsage(state.usage, event.usage) }
}

/** Pinned and carried entries, also those that a fold without messages had to leave out. */
export function carriedEntries({ entries, carried, pins, summaries }: CarriedSource): Entry[] {
  const ids = new Set([...pins, ...carried.keys()])
  for (const { event } of summaries.values())
    if (event.type === 'compaction') for (const id of event.carriedEntryIds ?? []) ids.add(id)
  return [...ids].flatMap((id) => carried.get(id) ?? entries.get(id) ?? [])
}

type CarriedSource = Pick<Folded, 'entries' | 'carried' | 'pins'> & {
  readonly summaries: ReadonlyMap<string, SummaryNode>
}

function carry({ entries, carried }: Folded, ids: readonly string[]): void {
  for (const id of ids) {
    const entry = carried.get(id) ?? entries.get(id)
    if (entry !== undefined) (carried as Map<string, Entry>).set(id, entry)
  }
}
