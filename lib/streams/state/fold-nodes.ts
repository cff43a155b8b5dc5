// Nodes of a session's tree that are no messages, and the names of nodes, grow in place in its state.
import type { EventNamed } from '../events/event.ts'

/** A node of the tree that stands for messages: those before it (`compaction`), or of a branch that was left. */
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

/** A compaction or the summary of a branch becomes a node of the tree, and its head. */
export function foldSummary(
  state: Nodes,
  event: SummaryNode['event'],
  { seq = state.seq, at = 0 }: { readonly seq?: number | undefined; readonly at?: number },
): { readonly headEntryId: string } {
  const node: SummaryNode = { parentId: event.parentId, event, seq, at }
  ;(state.summaries as Map<string, SummaryNode>).set(event.entryId, node) // grows in place: see SessionState
  return { headEntryId: event.entryId }
}

/** What a person named an entry. */
export function foldLabel(
  state: { readonly labels: ReadonlyMap<string, string> },
  { targetEntryId, label }: EventNamed<'label'>,
): void {
  const labels = state.labels as Map<string, string> // changes in place: see SessionState
  if (label === null || label === '') labels.delete(targetEntryId)
  else labels.set(targetEntryId, label)
}
