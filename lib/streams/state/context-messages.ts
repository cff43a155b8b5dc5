// Builds the messages that a model receives at an entry.
// A summary replaces the messages that it covers.
import type { Entry, SessionState, SummaryNode } from './fold-session.ts'
import type { Message, UserMessage } from '../messages/message.ts'

/** The parts of a state that define its nodes. */
export interface ContextTree extends Pick<SessionState, 'headEntryId'> {
  readonly summaries: Pick<SessionState['summaries'], 'get'>
  readonly entries: Pick<SessionState['entries'], 'get'>
}

/** A message of a model's context, and the node that it comes from. */
export interface ContextEntry {
  readonly entryId: string
  readonly message: Message
  /** Of the node, or of the last edit of its message. */
  readonly seq: number
  /** `carried`: an entry that a compaction summarised and kept. */
  readonly kind: 'entry' | 'carried' | SummaryNode['event']['type']
}

/** The parts of a state that define what a model receives. */
export type ContextSource = ContextTree & Pick<SessionState, 'edits' | 'carried'>

/**
 * The messages at `entryId` (default: the head), oldest first. After a compaction: its summary, the entries it carries,
 * then the messages it retained and those that followed. The summary of an abandoned branch stands at the start of the
 * new branch. Edits replace or hide messages.
 */
export function contextMessages(state: ContextSource, entryId: string | null = state.headEntryId): Message[] {
  return contextEntries(state, entryId).map(({ message }) => message)
}

/** The messages of `contextMessages` with their entries. */
export function contextEntries(state: ContextSource, entryId: string | null = state.headEntryId): ContextEntry[] {
  const { edits, carried, entries } = state
  const result: ContextEntry[] = []
  const add = ({ entryId: id, message, seq }: Entry, kind: 'entry' | 'carried'): void => {
    const edit = edits.get(id)
    const edited = edit === undefined ? message : edit.replacement
    const next = kind === 'carried' && edited !== null ? carriedMessage(edited) : edited
    if (next !== null) result.push({ entryId: id, message: next, seq: edit?.seq ?? seq, kind })
  }
  for (const node of contextNodes(state, entryId)) {
    if ('message' in node) {
      add(node, 'entry')
      continue
    }
    const { event, seq } = node
    result.push({ entryId: event.entryId, message: summaryMessage(node), seq, kind: event.type })
    if (event.type !== 'compaction') continue
    for (const id of event.carriedEntryIds ?? []) {
      const entry = carried.get(id) ?? entries.get(id)
      if (entry !== undefined) add(entry, 'carried')
    }
  }
  return result
}

/** The message without its calls, whose results are summarised; null if nothing is left, or for a result. */
function carriedMessage(message: Message): Message | null {
  if (message.role === 'toolResult') return null
  if (message.role !== 'assistant') return message
  const content = message.content.filter(({ type }) => type === 'text')
  return content.length === 0 ? null : { ...message, content }
}

/** The nodes of `contextMessages`, in its order. Nodes that a compaction replaced are not visited. */
export function contextNodes(state: ContextTree, entryId: string | null = state.headEntryId): (Entry | SummaryNode)[] {
  return walkNodes(state, entryId, cycleFinder()) ?? walkNodes(state, entryId, cycleEnd()) ?? []
}

/** Undefined if `isRepeated` throws the walk away. */
function walkNodes(
  state: ContextTree,
  entryId: string | null,
  isRepeated: (id: string) => boolean | undefined,
): (Entry | SummaryNode)[] | undefined {
  const backwards: (Entry | SummaryNode)[] = []
  let compaction: SummaryNode | undefined
  let firstIncluded: string | null | undefined
  for (let id = entryId; id !== null;) {
    const repeated = isRepeated(id)
    if (repeated === undefined) return undefined
    if (repeated) break
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
  if (compaction !== undefined) backwards.push(compaction)
  return backwards.reverse()
}

/**
 * A log from elsewhere may contain a cycle. Undefined at an id that came before: found with one id in memory (Brent).
 */
function cycleFinder(): (id: string) => false | undefined {
  let earlier: string | undefined
  let steps = 0
  let next = 1
  return (id) => {
    if (id === earlier) return undefined
    if (++steps === next) {
      earlier = id
      next *= 2
    }
    return false
  }
}

/** True at the first id that came before. */
function cycleEnd(): (id: string) => boolean {
  const visited = new Set<string>()
  return (id) => visited.size === visited.add(id).size
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
export function summaryMessage({
  event,
  at,
}: {
  readonly event: Pick<SummaryNode['event'], 'type' | 'summary'>
  readonly at: number
}): UserMessage {
  return { role: 'user', content: `${leads[event.type]}\n\n${event.summary}`, timestamp: at }
}
