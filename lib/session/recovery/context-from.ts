// The model's context needs no line before the first that one of its messages stands in.
import { contextNodes } from '../../streams/state/context-messages.ts'
import type { ContextTree } from '../../streams/state/context-messages.ts'
import type { Entry, SummaryNode } from '../../streams/state/fold-session.ts'

/** Where the context's first line stands (its `seq`); a result's content stands before it, behind the answer that called for it. */
export function contextFrom(tree: ContextTree): number {
  const nodes = contextNodes(tree)
  let first: Entry | SummaryNode | undefined = nodes[0]
  if (first !== undefined && 'event' in first && first.event.type === 'compaction') first = nodes[1] ?? first
  while (first !== undefined && 'message' in first && first.message.role === 'toolResult' && first.parentId !== null)
    first = tree.entries.get(first.parentId) ?? tree.summaries.get(first.parentId)
  return first?.seq ?? 1
}
