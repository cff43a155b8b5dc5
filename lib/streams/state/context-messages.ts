// Builds the messages that a model receives at an entry.
// A summary replaces the messages that it stands for.
import type { Entry, SessionState, SummaryNode } from './fold-session.ts'
import type { Message, UserMessage } from '../messages/message.ts'

/** The parts of a state that define its nodes. */
export interface ContextTree extends Pick<SessionState, 'summaries' | 'headEntryId'> {
  readonly entries: Pick<SessionState['entries'], 'get'>
}

/**
 * The messages at `entryId` (default: the head), oldest first. After a compaction: its summary, then the messages it
 * retained, then those that followed. The summary of an abandoned branch stands at the start of the new branch.
 */
export function contextMessages(state: SessionState, entryId: string | null = state.headEntryId): Message[] {
  return contextNodes(state, entryId).map((node) => ('message' in node ? node.message : summaryMessage(node)))
}

/** The nodes of `contextMessages`, in its order. Nodes that a compaction replaced are not visited. */
export function contextNodes(state: ContextTree, entryId: string | null = state.headEntryId): (Entry | SummaryNode)[] {
  const backwards: (Entry | SummaryNode)[] = []
  const visited = new Set<string>() // a log from elsewhere may contain a cycle
  let compaction: SummaryNode | undefined
  let firstIncluded: string | null | undefined
  for (let id = entryId; id !== null && !visited.has(id);) {
    visited.add(id)
    const node = state.summaries.get(id) ?? state.entries.get(id)
    if (node !== undefined && !isCompaction(node)) backwards.push(node)
    // the first retained entry may be missing in a log from elsewhere: then nothing is left out
    if (compaction === undefined && node !== undefined && isCompaction(node)) {
      compaction = node
      firstIncluded = node.event.firstKeptEntryId
    }
    if (firstIncluded === null || id === firstIncluded) break
    id = node?.parentId ?? null
  }
  return [...(compaction === undefined ? [] : [compaction]), ...backwards.reverse()]
}

type Compaction = SummaryNode & { readonly event: { readonly type: 'compaction' } }

function isCompaction(node: Entry | SummaryNode): node is Compaction {
  return 'event' in node && node.event.type === 'compaction'
}

const leads: Readonly<Record<SummaryNode['event']['type'], string>> = {
  compaction: 'The conversation up to here was summarised to save space. The summary:',
  branch_summary: 'Another branch of this conversation was left for this one. What happened there:',
}

/** A summary as the user message that models receive. */
export function summaryMessage({ event, at }: Pick<SummaryNode, 'event' | 'at'>): UserMessage {
  return { role: 'user', content: `${leads[event.type]}\n\n${event.summary}`, timestamp: at }
}
