// What a list tells of a session without opening it; texts are one line each and bounded.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { Count, SessionId, ShortId, Timestamp } from '../values/identifiers.ts'

/** Longest text of a summary, in UTF-16 units: a list never carries a whole message. */
export const summaryTextLimit = 400

const line = Type.String({ maxLength: summaryTextLimit })

/** What is read of one log. */
export const summaryFields = {
  id: SessionId,
  /** Of line 1, or what it was renamed to. */
  title: Type.Optional(line),
  /** Absent where line 1 cannot be believed. */
  cwd: Type.Optional(Type.String({ maxLength: 4_096 })),
  createdAt: Timestamp,
  /** When its last event was. */
  updatedAt: Timestamp,
  /** Of the first prompt. */
  firstWords: Type.Optional(line),
  /** Of the last message that has a text. */
  lastWords: Type.Optional(line),
  /** How many messages it holds, on all branches; absent where the log is too long to be counted for a list. */
  messages: Type.Optional(Count),
  model: Type.Optional(line),
  parent: Type.Optional(Type.Object({ sessionId: SessionId, entryId: ShortId })),
  /** Bytes. */
  size: Count,
  /** Why it cannot be gone on with, in words, where that was seen. */
  damaged: Type.Optional(line),
}

/** Facts of one log, as the index keeps them. */
export const SessionFacts = Type.Object(summaryFields, { $id: 'SessionFacts' })
export type SessionFacts = Static<typeof SessionFacts>

/** One file of a folder's index; it counts only for a file of this name, size and time. */
export const IndexedLog = Type.Object({
  name: Type.String({ pattern: '^[0-9]{1,16}_[a-z2-7]{12}\\.jsonl$' }),
  /** As the file system says it, in milliseconds. */
  mtimeMs: Type.Number(),
  facts: Type.Unsafe<SessionFacts>(Type.Ref('SessionFacts')),
})
export type IndexedLog = Static<typeof IndexedLog>

/** The index of a folder, one line. Whatever it says, the files decide. */
export const SessionsIndex = Type.Object(
  { type: Type.Literal('sessions_index'), v: Type.Literal(1), logs: Type.Array(IndexedLog) },
  { $id: 'SessionsIndex' },
)
export type SessionsIndex = Static<typeof SessionsIndex>
