// Shortens messages of a context without a model: superseded readings, old tool output and images.
import { messageText } from '../../streams/messages/message-text.ts'
import type { Message, ToolResultMessage, UserContent } from '../../streams/messages/message.ts'
import { firstUnits, lastUnits } from '../../streams/values/truncate.ts'
import { supersededReads } from '../context/dedupe-reads.ts'
import type { PlannedEntry } from './find-cut.ts'

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

interface Surroundings {
  /** Entries that stay as they are. */
  readonly pins: ReadonlySet<string>
  /** The whole context: a later reading of a file supersedes an older one. */
  readonly all: readonly PlannedEntry[]
}

/** The entries that can be shortened; summaries and pinned entries never are. */
export function shrinkOldEntries(entries: readonly PlannedEntry[], { pins, all }: Surroundings): ShortenedEntry[] {
  const superseded = supersededReads(all.map(({ message }) => message))
  return entries.flatMap(({ entryId, message, kind }) => {
    if (kind !== 'entry' || pins.has(entryId) || isShortened(message)) return []
    const replacement =
      superseded.get(message) ?? withoutImages(textLength(message) > leastUnits ? shorten(message, leftUnits) : message)
    return replacement === message ? [] : [{ entryId, before: message, replacement: withoutDetails(replacement) }]
  })
}

/**
 * Shortens the longest results until `excess` tokens are saved, or every result is short; then leaves out their images,
 * oldest first. The last result loses its middle like the others: a request that does not fit has no answer at all.
 */
export function shrinkResults(
  entries: readonly PlannedEntry[],
  excess: number,
  tokensOf: (message: Message) => number,
): ShortenedEntry[] {
  let best: ShortenedEntry[] = []
  const longest = Math.max(0, ...entries.map(({ message }) => textLength(message)))
  for (let most = longest / 2; most >= leftUnits / 2; most /= 2) {
    best = entries.flatMap(({ entryId, message }) => {
      const replacement = shorten(message, Math.floor(most))
      return replacement === message ? [] : [{ entryId, before: message, replacement: withoutDetails(replacement) }]
    })
    if (savedTokens(best, tokensOf) >= excess) return best
  }
  return shrinkImages(entries, best, { excess, tokensOf })
}

interface ImageGoal {
  readonly excess: number
  tokensOf(message: Message): number
}

function shrinkImages(
  entries: readonly PlannedEntry[],
  shortened: readonly ShortenedEntry[],
  { excess, tokensOf }: ImageGoal,
): ShortenedEntry[] {
  const byId = new Map(shortened.map((entry) => [entry.entryId, entry]))
  let saved = savedTokens(shortened, tokensOf)
  for (const { entryId, message } of entries) {
    if (saved >= excess) break
    if (message.role !== 'toolResult') continue
    const current = byId.get(entryId)?.replacement ?? message
    const replacement = withoutImages(current)
    if (replacement === current) continue
    saved += tokensOf(current) - tokensOf(replacement)
    byId.set(entryId, { entryId, before: message, replacement: withoutDetails(replacement) })
  }
  return [...byId.values()]
}

export function savedTokens(shortened: readonly ShortenedEntry[], tokensOf: (message: Message) => number): number {
  return shortened.reduce((sum, { before, replacement }) => sum + tokensOf(before) - tokensOf(replacement), 0)
}

function isShortened(message: Message): boolean {
  return message.role === 'toolResult' && messageText(message).includes(noticeStart)
}

const noticeStart = '\n[older output was shortened to save space: '

function notice(units: number): string {
  return `${noticeStart}${units} characters left out]\n`
}

function textLength(message: Message): number {
  if (message.role !== 'toolResult') return 0
  return message.content.reduce((sum, part) => sum + (part.type === 'text' ? (part.bytes ?? part.text.length) : 0), 0)
}

/**
 * The result with `most` units of its text, from the start and the end; the message itself if it has no more. Of a text
 * in the blob store only the start is here.
 */
function shorten(message: Message, most: number): Message {
  if (message.role !== 'toolResult' || textLength(message) <= most) return message
  const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const isWhole = message.content.every((part) => part.type !== 'text' || part.bytes === undefined)
  const start = firstUnits(text, Math.ceil(isWhole ? most / 2 : most))
  const end = isWhole ? lastUnits(text, Math.floor(most / 2)) : ''
  const leftOut = Math.max(0, textLength(message) - start.length - end.length)
  const images = message.content.filter(({ type }) => type === 'image')
  return { ...message, content: [{ type: 'text', text: `${start}${notice(leftOut)}${end}` }, ...images] }
}

function withoutImages(message: Message): Message {
  if (message.role !== 'toolResult' && message.role !== 'user') return message
  if (typeof message.content === 'string' || message.content.every(({ type }) => type === 'text')) return message
  const content: UserContent[] = message.content.map((part) => (part.type === 'image' ? imageNotice : part))
  return { ...message, content }
}

/** Details are for clients, which have those of the entry itself; a shortened reading supersedes no other one. */
function withoutDetails(message: Message): Message {
  if (message.role !== 'toolResult') return message
  const { details, ...rest } = message
  return rest satisfies ToolResultMessage
}
