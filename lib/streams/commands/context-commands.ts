// Schemas of the commands that change what the model receives, and of the request that comes next.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { Count, SessionId, ShortId } from '../values/identifiers.ts'

/**
 * `kind` is `section`, `tool` or `messages`; `name` that of the section, the tool or the role. `text` is what is sent
 * of a section or tool; `count` the number of messages.
 */
const RequestPart = Type.Object({
  kind: Type.String(),
  name: Type.String(),
  tokens: Count,
  text: Type.Optional(Type.String()),
  count: Type.Optional(Count),
})
export type RequestPart = Static<typeof RequestPart>

/** Messages at the head that a person or a compaction has changed for the model. */
const ContextChangeCounts = Type.Object({ summarised: Count, pinned: Count, hidden: Count, replaced: Count })

/** The next request of a session: messages, system prompt and tools, with their tokens as far as known. */
export const NextRequest = Type.Object({
  model: Type.String(),
  contextWindow: Type.Optional(Count),
  tokens: Count,
  parts: Type.Array(RequestPart),
  /** Absent if the model receives each message as it is. */
  changes: Type.Optional(ContextChangeCounts),
  /** Active tools that it leaves out: `search_tools` finds them. Absent if there are none. */
  unlisted: Type.Optional(Type.Array(Type.Object({ name: Type.String(), tokens: Count }))),
})
export type NextRequest = Static<typeof NextRequest>

const target = { session: SessionId, entryId: ShortId }

/** The fields beside `type`, by command. */
export const contextParameters = {
  /** Summarises the older messages; `focus` says what the summary must look after. `abort` cancels it. */
  compact: { session: SessionId, focus: Type.Optional(Type.String({ minLength: 1, maxLength: 10_000 })) },
  /** The edit of an entry for the model: `text` instead of it, nothing with `hide`, itself without both. */
  context_edit: {
    ...target,
    hide: Type.Optional(Type.Boolean()),
    text: Type.Optional(Type.String({ minLength: 1, maxLength: 1_048_576 })),
  },
  /** Keeps an entry through compactions, or no longer. */
  context_pin: { ...target, pinned: Type.Boolean() },
}

/** The results, by command. */
export const contextResults = {
  /**
   * `entryId` is that of the compaction, `messages` the number that it replaces; absent if shortening old messages was
   * enough.
   */
  compact: {
    entryId: Type.Optional(ShortId),
    tokensBefore: Type.Optional(Count),
    tokensAfter: Type.Optional(Count),
    messages: Type.Optional(Count),
  },
  context_edit: {},
  context_pin: {},
}
