// Schema of the request that an open session would send next.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { Count } from '../values/identifiers.ts'

/**
 * `kind` is `section`, `tool` or `messages`; `name` that of the section, the tool or the role. `text` is what is sent of a
 * section or tool; `count` the number of messages.
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

export const NextRequest = Type.Object({
  model: Type.String(),
  contextWindow: Type.Optional(Count),
  tokens: Count,
  parts: Type.Array(RequestPart),
  /** Absent if the model receives each message as it is. */
  changes: Type.Optional(ContextChangeCounts),
})
export type NextRequest = Static<typeof NextRequest>
