// Finds where a context can be cut: never between a call and its result.
import type { Message } from '../../streams/messages/message.ts'
import type { ContextEntry } from '../../streams/state/context-messages.ts'

/** A message of a context as the model receives it. */
export interface PlannedEntry extends ContextEntry {
  /** True for a message that the model reads as the user's, but that is not: a note, the output of a command. */
  readonly isNote?: boolean
}

/** True for what a person wrote; not for a summary. */
export function isUserInput({ message, kind, isNote = false }: PlannedEntry): boolean {
  return message.role === 'user' && !isNote && (kind === 'entry' || kind === 'carried')
}

/**
 * The index of the first entry to keep: the most recent messages that have at most `keep` tokens, but always the last
 * message and what it belongs to. 0 if nothing can be cut.
 */
export function findCut(
  entries: readonly PlannedEntry[],
  keep: number,
  tokensOf: (message: Message) => number,
): number {
  const open = openCallsAt(entries)
  let tokens = 0
  let cut = entries.length
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index]
    if (entry === undefined || entry.kind === 'compaction' || entry.kind === 'carried') break
    tokens += tokensOf(entry.message)
    if (tokens > keep && cut < entries.length) break
    if (open[index] === 0 && entry.message.role !== 'toolResult') cut = index
  }
  return cut === entries.length ? 0 : cut
}

/**
 * The index of the input whose turn a cut splits, or undefined: the kept part then begins with an input, or behind an answer
 * that ended its turn.
 */
export function splitTurnStart(entries: readonly PlannedEntry[], cut: number): number | undefined {
  const first = entries[cut]
  const before = entries[cut - 1]?.message
  if (first !== undefined && isUserInput(first)) return undefined
  if (first?.message.role !== 'assistant' && before?.role === 'assistant' && !hasCalls(before)) return undefined
  const start = entries.findLastIndex((entry, index) => index < cut && entry.kind === 'entry' && isUserInput(entry))
  return start < 0 ? undefined : start
}

function hasCalls({ content }: Extract<Message, { role: 'assistant' }>): boolean {
  return content.some(({ type }) => type === 'toolCall')
}

/** For each index: how many calls before it have a result at or behind it. */
function openCallsAt(entries: readonly PlannedEntry[]): readonly number[] {
  const open = new Set<string>()
  const waiting = new Map<string, number>()
  for (const { message } of entries)
    if (message.role === 'toolResult') waiting.set(message.toolCallId, (waiting.get(message.toolCallId) ?? 0) + 1)
  return entries.map(({ message }) => {
    const count = open.size
    if (message.role === 'assistant') {
      for (const block of message.content)
        if (block.type === 'toolCall' && (waiting.get(block.id) ?? 0) > 0) open.add(block.id)
    } else if (message.role === 'toolResult') {
      waiting.set(message.toolCallId, (waiting.get(message.toolCallId) ?? 1) - 1)
      open.delete(message.toolCallId)
    }
    return count
  })
}
