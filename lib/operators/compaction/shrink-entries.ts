// Shortens messages of a context without a model: superseded readings, old tool output and images.
import { messageText } from '../../streams/messages/message-text.ts'
import type { Message, ToolResultMessage, UserContent } from '../../streams/messages/message.ts'
import type { ContextEntry } from '../../streams/state/context-messages.ts'
import { lastUnits } from '../../streams/values/truncate.ts'
import { supersededReads } from '../context/dedupe-reads.ts'

/** UTF-16 units that an old result keeps, half of them from its end. */
const leftUnits = 800
/** A result that is not longer stays whole: the notice would save nothing. */
const leastUnits = 2_000
const imageNotice = { type: 'text', text: '[image left out to save space]' } as const

export interface ShortenedEntry {
  readonly entryId: string
  readonly before: Message
  readonly replacement: Message
}

/** The entries before `until` that can be shortened; those of summaries never are. */
export function shrinkOldEntries(entries: readonly ContextEntry[], until: number): ShortenedEntry[] {
  const superseded = supersededReads(entries.map(({ message }) => message))
  return entries.slice(0, until).flatMap(({ entryId, message, kind }) => {
    if (kind !== 'entry') return []
    const replacement = superseded.get(message) ?? withoutImages(shorten(message, leastUnits))
    return replacement === message || isShortened(message) ? [] : [{ entryId, before: message, replacement }]
  })
}

/**
 * Shortens the longest results until `excess` tokens are saved, or every result is short. The last result loses its middle
 * like the others: a request that does not fit has no answer at all.
 */
export function shrinkResults(
  entries: readonly ContextEntry[],
  excess: number,
  tokensOf: (message: Message) => number,
): ShortenedEntry[] {
  let best: ShortenedEntry[] = []
  const longest = Math.max(0, ...entries.map(({ message }) => textLength(message)))
  for (let most = longest / 2; most >= leftUnits / 2; most /= 2) {
    best = entries.flatMap(({ entryId, message }) => {
      const replacement = shorten(message, Math.floor(most))
      return replacement === message ? [] : [{ entryId, before: message, replacement }]
    })
    if (savedTokens(best, tokensOf) >= excess) return best
  }
  return best
}

export function savedTokens(shortened: readonly ShortenedEntry[], tokensOf: (message: Message) => number): number {
  return shortened.reduce((sum, { before, replacement }) => sum + tokensOf(before) - tokensOf(replacement), 0)
}

function isShortened(message: Message): boolean {
  return message.role === 'toolResult' && messageText(message).includes(notice(0).slice(0, 20))
}

function notice(units: number): string {
  return `\n[older output was shortened to save space: ${units} characters left out]\n`
}

function textLength(message: Message): number {
  if (message.role !== 'toolResult') return 0
  return message.content.reduce((sum, part) => sum + (part.type === 'text' ? (part.bytes ?? part.text.length) : 0), 0)
}

/** The result with the start and the end of its text; the message itself if it has no more than `most` units. */
function shorten(message: Message, most: number): Message {
  if (message.role !== 'toolResult' || textLength(message) <= most) return message
  const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  const half = Math.floor(Math.min(leftUnits, most) / 2)
  const leftOut = Math.max(0, textLength(message) - 2 * half)
  const short = `${text.slice(0, half)}${notice(leftOut)}${lastUnits(text, half)}`
  const images = message.content.filter(({ type }) => type === 'image')
  return { ...message, content: [{ type: 'text', text: short }, ...images] } satisfies ToolResultMessage
}

function withoutImages(message: Message): Message {
  if (message.role !== 'toolResult' && message.role !== 'user') return message
  if (typeof message.content === 'string' || message.content.every(({ type }) => type === 'text')) return message
  const content: UserContent[] = message.content.map((part) => (part.type === 'image' ? imageNotice : part))
  return { ...message, content }
}
