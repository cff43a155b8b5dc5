// Nodes of a session's tree that are no messages, and the names of nodes, grow in place in its state.
import type { EventNamed } from './event.ts'
import type { SessionState, SummaryNode } from './fold-session.ts'

/** A compaction or the summary of a branch becomes a node of the tree, and its head. */
export function foldSummary(
  state: SessionState,
  event: SummaryNode['event'],
  { seq = state.seq, at = 0 }: { readonly seq?: number | undefined; readonly at?: number },
): SessionState {
  const node: SummaryNode = { parentId: event.parentId, event, seq, at }
  ;(state.summaries as Map<string, SummaryNode>).set(event.entryId, node) // grows in place: see SessionState
  return { ...state, headEntryId: event.entryId }
}

/** What a person named an entry. */
export function foldLabel(state: SessionState, { targetEntryId, label }: EventNamed<'label'>): SessionState {
  const labels = state.labels as Map<string, string> // changes in place: see SessionState
  if (label === null || label === '') labels.delete(targetEntryId)
  else labels.set(targetEntryId, label)
  return state
}
