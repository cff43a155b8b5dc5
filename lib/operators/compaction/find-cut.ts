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
 * message and what it belongs to. 0 if nothing can be cut. Looks at the entries that it keeps alone.
 */
export function findCut(
  entries: readonly PlannedEntry[],
  keep: number,
  tokensOf: (message: Message) => number,
): number {
  const first = entries.findIndex(({ kind }) => kind !== 'compaction' && kind !== 'carried')
  if (first < 0) return 0
  const cut = lastCut(entries, { first, keep, tokensOf, orphans: new Set() })
  if (cut !== undefined) return cut
  // a result without its call, in a log from elsewhere, would bar every cut before it
  return lastCut(entries, { first, keep, tokensOf, orphans: orphansOf(entries) }) ?? 0
}

interface CutSearch {
  readonly first: number
  readonly keep: number
  tokensOf(message: Message): number
  /** Results without a call. */
  readonly orphans: ReadonlySet<Message>
}

function lastCut(entries: readonly PlannedEntry[], { first, keep, tokensOf, orphans }: CutSearch): number | undefined {
  const waiting = new Set<string>() // results whose call is further up
  let tokens = 0
  let cut: number | undefined
  for (let index = entries.length - 1; index >= first; index--) {
    const message = entries[index]?.message
    if (message === undefined) break
    tokens += tokensOf(message)
    if (tokens > keep && cut !== undefined) break
    if (message.role === 'toolResult') {
      if (!orphans.has(message)) waiting.add(message.toolCallId)
      continue
    }
    if (message.role === 'assistant')
      for (const block of message.content) if (block.type === 'toolCall') waiting.delete(block.id)
    if (waiting.size === 0) cut = index
  }
  return cut
}

function orphansOf(entries: readonly PlannedEntry[]): ReadonlySet<Message> {
  const called = new Set<string>()
  const orphans = new Set<Message>()
  for (const { message } of entries) {
    if (message.role === 'toolResult' && !called.has(message.toolCallId)) orphans.add(message)
    if (message.role !== 'assistant') continue
    for (const block of message.content) if (block.type === 'toolCall') called.add(block.id)
  }
  return orphans
}

/**
 * The index of the input whose turn a cut splits, or undefined: the kept part then begins with an input, or after an
 * answer that ended its turn.
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
