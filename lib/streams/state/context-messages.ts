// What a model is told at an entry: the messages up to it, a summary in the place of what it stands for.
import type { Entry, SessionState, SummaryNode } from './fold-session.ts'
import type { Message, UserMessage } from '../messages/message.ts'

/** What of a state tells which nodes there are. */
export interface ContextTree extends Pick<SessionState, 'summaries' | 'headEntryId'> {
  readonly entries: Pick<SessionState['entries'], 'get'>
}

/**
 * The messages at `entryId` (default: the head), oldest first. Of the last compaction on the way its summary comes first, then
 * what it kept, then what followed; the summary of a branch that was left stands where the new branch begins.
 */
export function contextMessages(state: SessionState, entryId: string | null = state.headEntryId): Message[] {
  return contextNodes(state, entryId).map((node) => ('message' in node ? node.message : summaryMessage(node)))
}

/** The nodes that `contextMessages` tells of, in its order. Of what a compaction stands for nothing is looked at. */
export function contextNodes(state: ContextTree, entryId: string | null = state.headEntryId): (Entry | SummaryNode)[] {
  const backwards: (Entry | SummaryNode)[] = []
  const seen = new Set<string>() // a log that somebody made may go in circles
  let compaction: SummaryNode | undefined
  let firstIncluded: string | null | undefined
  for (let id = entryId; id !== null && !seen.has(id);) {
    seen.add(id)
    const node = state.summaries.get(id) ?? state.entries.get(id)
    if (node !== undefined && !isCompaction(node)) backwards.push(node)
    // what it is said to keep may stand on no branch of a log from elsewhere: then nothing is left out
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

/** A summary as a model is told of it. */
export function summaryMessage({ event, at }: Pick<SummaryNode, 'event' | 'at'>): UserMessage {
  return { role: 'user', content: `${leads[event.type]}\n\n${event.summary}`, timestamp: at }
}
