// Finds the summaries and edits that a model receives instead of messages, and counts them.
import { messageText } from '../messages/message-text.ts'
import { isSameJson } from '../values/json.ts'
import { contextEntries, contextNodes } from './context-messages.ts'
import { hiddenResultText } from './fold-context-changes.ts'
import { path } from './fold-session.ts'
import type { SessionState } from './fold-session.ts'

/** The messages on the branch of the head that a summary stands for. */
export function summarisedIds(state: SessionState): ReadonlySet<string> {
  const [first] = contextNodes(state)
  if (first === undefined || !('event' in first) || first.event.type !== 'compaction') return new Set()
  const received = new Set(contextEntries(state).map(({ entryId }) => entryId))
  for (const [entryId, { replacement }] of state.edits) if (replacement === null) received.add(entryId) // hidden
  return new Set(path(state, state.headEntryId).filter((id) => state.entries.has(id) && !received.has(id)))
}

/** Edit of a message that no summary stands for; undefined: the model receives it as it is. */
function editOf({ edits, entries }: SessionState, entryId: string): 'hidden' | 'replaced' | undefined {
  const edit = edits.get(entryId)
  if (edit === undefined) return undefined
  const { replacement } = edit
  if (replacement === null || messageText(replacement) === hiddenResultText) return 'hidden'
  return isSameJson(replacement, entries.get(entryId)?.message) ? undefined : 'replaced'
}

/** @param summarised from `summarisedIds` */
export function receivedOf(
  state: SessionState,
  entryId: string,
  summarised: ReadonlySet<string>,
): 'summarised' | 'hidden' | 'replaced' | undefined {
  return summarised.has(entryId) ? 'summarised' : editOf(state, entryId)
}

/** Counts on the branch of the head. */
export interface ContextChangeCounts {
  readonly summarised: number
  readonly pinned: number
  readonly hidden: number
  readonly replaced: number
}

/** Undefined if the model receives each message as it is, and none is pinned. */
export function countContextChanges(state: SessionState): ContextChangeCounts | undefined {
  const { pins, edits, summaries } = state
  if (pins.size === 0 && edits.size === 0 && summaries.size === 0) return undefined
  const branch = new Set(path(state, state.headEntryId))
  const summarised = summarisedIds(state)
  const edited = [...edits.keys()].filter((id) => branch.has(id) && !summarised.has(id)).map((id) => editOf(state, id))
  const counts = {
    summarised: summarised.size,
    pinned: [...pins].filter((id) => branch.has(id)).length,
    hidden: edited.filter((edit) => edit === 'hidden').length,
    replaced: edited.filter((edit) => edit === 'replaced').length,
  }
  return Object.values(counts).every((count) => count === 0) ? undefined : counts
}
