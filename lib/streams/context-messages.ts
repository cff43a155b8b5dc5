// What a model is told at an entry: the messages up to it, a summary in the place of what it stands for.
import { path } from './fold-session.ts'
import type { SessionState, SummaryNode } from './fold-session.ts'
import type { Message, UserMessage } from './message.ts'

/**
 * The messages at `entryId` (default: the head), oldest first. Of the last compaction on the way its summary comes first, then
 * what it kept, then what followed; the summary of a branch that was left stands where the new branch begins.
 */
export function contextMessages(state: SessionState, entryId: string | null = state.headEntryId): Message[] {
  const ids = path(state, entryId)
  const compactedAt = ids.findLastIndex((id) => state.summaries.get(id)?.event.type === 'compaction')
  const compaction = state.summaries.get(ids[compactedAt] ?? '')
  if (compaction?.event.type !== 'compaction') return ids.flatMap((id) => messagesAt(state, id))
  const { firstKeptEntryId } = compaction.event
  // what it is said to keep may stand on no branch of a log from elsewhere: then nothing is left out
  const keptFrom = firstKeptEntryId === null ? compactedAt : Math.max(0, ids.indexOf(firstKeptEntryId))
  const kept = ids.slice(keptFrom, compactedAt).filter((id) => state.summaries.get(id)?.event.type !== 'compaction')
  const told = [...kept, ...ids.slice(compactedAt + 1)]
  return [summaryMessage(compaction), ...told.flatMap((id) => messagesAt(state, id))]
}

const leads: Readonly<Record<SummaryNode['event']['type'], string>> = {
  compaction: 'The conversation up to here was summarised to save space. The summary:',
  branch_summary: 'Another branch of this conversation was left for this one. What happened there:',
}

/** A summary as a model is told of it. */
export function summaryMessage({ event, at }: Pick<SummaryNode, 'event' | 'at'>): UserMessage {
  return { role: 'user', content: `${leads[event.type]}\n\n${event.summary}`, timestamp: at }
}

function messagesAt({ entries, summaries }: SessionState, id: string): Message[] {
  const entry = entries.get(id)
  if (entry !== undefined) return [entry.message]
  const summary = summaries.get(id)
  return summary === undefined ? [] : [summaryMessage(summary)]
}
