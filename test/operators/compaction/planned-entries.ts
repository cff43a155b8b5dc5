// Builds contexts for tests of the planner, in tokens: without a usage each 4 characters are one.
import type { CompactionInput } from '../../../lib/operators/compaction/plan-compaction.ts'
import type { PlannedEntry } from '../../../lib/operators/compaction/find-cut.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { aResult, aUser, anAnswer } from '../../providers/adapter/messages.ts'

/** Characters that a message has beside its text. */
const overhead = 16

/** A text of a message that has so many tokens; it begins with `word`. */
export function textOf(tokens: number, word = 'x'): string {
  return word.padEnd(tokens * 4 - overhead, ' x')
}

export function userOf(tokens: number, word?: string): Message {
  return aUser(textOf(tokens, word))
}

export function answerOf(tokens: number, word?: string): Message {
  return anAnswer({ type: 'text', text: textOf(tokens, word) })
}

export function resultOf(toolCallId: string, tokens: number): Message {
  return aResult(toolCallId, textOf(tokens))
}

/** Entries `e0`, `e1` …, oldest first; fields by index. */
export function entriesOf(
  messages: readonly Message[],
  fields: Readonly<Record<number, Partial<PlannedEntry>>> = {},
): PlannedEntry[] {
  return messages.map((message, index) => ({
    entryId: `e${index}`,
    message,
    seq: index + 1,
    kind: 'entry' as const,
    ...fields[index],
  }))
}

export function inputOf(
  entries: readonly PlannedEntry[],
  fields: Partial<Omit<CompactionInput, 'entries'>> = {},
): CompactionInput {
  return { entries, system: '', tools: [], window: undefined, pins: new Set(), reason: 'threshold', ...fields }
}
