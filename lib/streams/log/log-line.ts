// Defines the schemas of a log's lines: header, record, checkpoint.
// Line 1 is the header; then one durable event a line, numbered without a hole, with unnumbered checkpoints between.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { eventSchemas } from '../events/event.ts'
import type { AgentEvent, EventNamed } from '../events/event.ts'
import { thinkingLevels } from '../models/model.ts'
import { stringEnum } from '../schema/schema-helpers.ts'
import { SessionId, ShortId, Timestamp } from '../values/identifiers.ts'

/** 8 hex digits of CRC-32 over the line's UTF-8 bytes from `{` up to, not including, `,"crc"`. */
export const Crc = Type.String({ pattern: '^[0-9a-f]{8}$' })

/** The log format that this program writes; a header with another `v` is refused. */
export const logVersion = 1

/** Line 1. `parent` links the files to a tree. */
export const SessionHeader = Type.Object(
  {
    type: Type.Literal('session'),
    v: Type.Integer({ minimum: 1 }),
    id: SessionId,
    createdAt: Timestamp,
    cwd: Type.String({ minLength: 1 }),
    title: Type.Optional(Type.String()),
    parent: Type.Optional(Type.Object({ sessionId: SessionId, entryId: ShortId })),
    opId: Type.Optional(Type.String()),
    /** Digest of the command that had the `opId`: the same id with another body is refused. */
    opBody: Type.Optional(Type.String()),
    /** The choices of `new_session`: each holds until an event of the log chooses anew. */
    chosen: Type.Optional(
      Type.Object({
        model: Type.Optional(Type.String({ minLength: 1 })),
        thinkingLevel: Type.Optional(stringEnum(thinkingLevels)),
        tools: Type.Optional(Type.Array(Type.String())),
      }),
    ),
    crc: Type.Optional(Crc),
  },
  { $id: 'SessionHeader' },
)
export type SessionHeader = Readonly<Static<typeof SessionHeader>>

/** A numbered line; its `event` is checked by the schema of its type. */
export const LogLine = Type.Object(
  {
    seq: Type.Integer({ minimum: 1 }),
    at: Timestamp,
    runId: Type.Optional(ShortId),
    opId: Type.Optional(Type.String()),
    event: Type.Object({ type: Type.String() }),
    crc: Crc,
  },
  { $id: 'LogLine' },
)
export interface LogLine {
  readonly seq: number
  readonly at: number
  readonly runId?: string
  readonly opId?: string
  readonly event: AgentEvent
  readonly crc: string
}

/** A joined piece of an unfinished message: unnumbered, never sent to clients. */
export const CheckpointLine = Type.Object(
  { at: Timestamp, event: Type.Ref(eventSchemas.message_update.$id ?? ''), crc: Crc },
  { $id: 'CheckpointLine' },
)
export interface CheckpointLine {
  readonly at: number
  readonly event: EventNamed<'message_update'>
  readonly crc: string
}

// Records: events with the fields that numbering and writing add. A line's bytes are made once, for the log and all
// clients.

/** An event before it is numbered. */
export interface PendingRecord {
  readonly event: AgentEvent
  readonly runId?: string | undefined
  /** Idempotency key of the command that caused it (docs/protocol.md). */
  readonly opId?: string | undefined
}

/** A recorded event. Exactly the durable ones have `seq` and `line`. */
export interface SessionRecord extends PendingRecord {
  /** When it was recorded, Unix ms. */
  readonly at: number
  /** Its number in the log, from 1 without a gap. */
  readonly seq?: number | undefined
  /** The log line without its line feed. */
  readonly line?: string | undefined
}
