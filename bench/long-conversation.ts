// A fixed conversation of any length, like a coding session, in messages of about 600 bytes.
import type { Message, Usage } from '../lib/streams/messages/message.ts'

/** One message and its parent. */
export interface LongEntry {
  readonly id: string
  readonly parentId: string | null
  readonly message: Message
}

/** A request of the user and everything up to the answer: ten entries, or fewer at the end of the conversation. */
export type LongRun = readonly LongEntry[]

export interface LongCompaction {
  readonly id: string
  readonly parentId: string
  readonly firstKeptEntryId: string
  readonly summary: string
}

/** Messages of one run: a prompt, four calls with their results, an answer. */
export const entriesPerRun = 10
/** Entries behind the compaction, and those before it that it keeps. */
const behindCompaction = 2 * entriesPerRun
const retainedEntries = 20

const startedAt = 1_790_000_000_000
const words = 'the file holds a function that reads lines and folds them into what the model needs to know of it '
const cost = { input: 0.002, output: 0.003, cacheRead: 0, cacheWrite: 0, total: 0.005 }
const usage: Usage = { input: 1_200, output: 180, cacheRead: 800, cacheWrite: 0, totalTokens: 2_180, cost }

/** `count` entries, run by run. @param count whole runs: a multiple of `entriesPerRun` */
export function* longConversation(count: number): Generator<LongRun, void> {
  for (let first = 0; first < count; first += entriesPerRun) {
    yield Array.from({ length: Math.min(entriesPerRun, count - first) }, (_, offset) => entryAt(first + offset, count))
  }
}

/** The compaction near the end of `longConversation(count)`, if it has one; it comes before entry `before`. */
export function longCompaction(count: number): LongCompaction & { readonly before: number } {
  const before = count - behindCompaction
  return {
    before,
    id: entryId(count),
    parentId: entryId(before - 1),
    firstKeptEntryId: entryId(before - retainedEntries),
    summary: `What was done: ${text(2_000)}`,
  }
}

function entryAt(index: number, count: number): LongEntry {
  return { id: entryId(index), parentId: index === 0 ? null : entryId(index - 1), message: messageAt(index, count) }
}

function messageAt(index: number, count: number): Message {
  const offset = index % entriesPerRun
  const timestamp = startedAt + index * 1_000
  if (offset === 0) return { role: 'user', content: [{ type: 'text', text: text(160) }], timestamp }
  if (offset % 2 === 0) {
    const content = [{ type: 'text' as const, text: text(420) }]
    const call = { toolCallId: callId(index - 1), toolName: 'read', isError: false, timestamp, durationMs: 12 }
    return { role: 'toolResult', ...call, content }
  }
  const isLast = offset === entriesPerRun - 1 || index === count - 1
  const textPart = { type: 'text' as const, text: text(isLast ? 300 : 60) }
  const call = {
    type: 'toolCall' as const,
    id: callId(index),
    name: 'read',
    arguments: { path: `lib/file-${index}.ts` },
  }
  return {
    role: 'assistant',
    content: isLast ? [textPart] : [textPart, call],
    api: 'openai-completions',
    provider: 'bench',
    model: 'bench',
    usage,
    stopReason: isLast ? 'stop' : 'toolUse',
    timestamp,
    durationMs: 900,
  }
}

function text(length: number): string {
  return words.repeat(Math.ceil(length / words.length)).slice(0, length)
}

function callId(index: number): string {
  return `call_${String(index).padStart(20, '0')}`
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** 8 characters of base32. */
export function entryId(index: number): string {
  let id = ''
  for (let rest = index, offset = 0; offset < 8; offset += 1, rest = Math.floor(rest / 32))
    id = alphabet.charAt(rest % 32) + id
  return id
}
