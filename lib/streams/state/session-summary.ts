// Schema of a session's summary in a list: read without opening it, one bounded line per text.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { Count, SessionId, ShortId, Timestamp } from '../values/identifiers.ts'

/** Longest text of a summary in UTF-16 units: a list never carries a whole message. */
export const summaryTextLimit = 400

const line = Type.String({ maxLength: summaryTextLimit })

/** The facts that are read from one log. */
export const summaryFields = {
  id: SessionId,
  /** The header's title, or the one it was renamed to. */
  title: Type.Optional(line),
  /** Absent if line 1 is not valid. */
  cwd: Type.Optional(Type.String({ maxLength: 4_096 })),
  createdAt: Timestamp,
  /** Time of its last event. */
  updatedAt: Timestamp,
  /** Start of the first prompt. */
  firstWords: Type.Optional(line),
  /** Start of the last message with a text. */
  lastWords: Type.Optional(line),
  /** Number of messages on all branches; absent if the log is too long to be counted for a list. */
  messages: Type.Optional(Count),
  model: Type.Optional(line),
  parent: Type.Optional(Type.Object({ sessionId: SessionId, entryId: ShortId })),
  /** Bytes. */
  size: Count,
  /** Why it cannot be continued, if known. */
  damaged: Type.Optional(line),
}

/** The facts of one log, as the index stores them. */
export const SessionFacts = Type.Object(summaryFields, { $id: 'SessionFacts' })
export type SessionFacts = Static<typeof SessionFacts>

/** One file of a folder's index; valid only for a file of this name, size and time. */
export const IndexedLog = Type.Object({
  name: Type.String({ pattern: '^[0-9]{1,16}_[a-z2-7]{12}\\.jsonl$' }),
  /** Modification time in milliseconds. */
  mtimeMs: Type.Number(),
  facts: Type.Unsafe<SessionFacts>(Type.Ref('SessionFacts')),
})
export type IndexedLog = Static<typeof IndexedLog>

/** A folder's index, one line. If it disagrees with the files, the files win. */
export const SessionsIndex = Type.Object(
  { type: Type.Literal('sessions_index'), v: Type.Literal(1), logs: Type.Array(IndexedLog) },
  { $id: 'SessionsIndex' },
)
export type SessionsIndex = Static<typeof SessionsIndex>
