// Schemas of the commands that change what the model receives of a conversation.
import { Type } from '@sinclair/typebox'
import { Count, SessionId, ShortId } from '../values/identifiers.ts'

const target = { session: SessionId, entryId: ShortId }

/** The fields beside `type`, by command. */
export const contextParameters = {
  /** Summarises the older messages; `focus` says what the summary must look after. `abort` cancels it. */
  compact: { session: SessionId, focus: Type.Optional(Type.String({ minLength: 1, maxLength: 10_000 })) },
  /** What the model receives of an entry: `text` in its place, nothing with `hide`, itself without both. */
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
  /** `entryId` is that of the compaction, `messages` the number that it stands for; absent if shortening old messages was enough. */
  compact: {
    entryId: Type.Optional(ShortId),
    tokensBefore: Type.Optional(Count),
    tokensAfter: Type.Optional(Count),
    messages: Type.Optional(Count),
  },
  context_edit: {},
  context_pin: {},
}
