// A delta tells what is new and nothing that was told before; folding them in order gives the message.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { Count, ToolCallId } from './identifiers.ts'
import { StopReason, Usage } from './message.ts'

const contentIndex = Count
const text = Type.String()

/** Before everything else: what the provider says of its answer. */
export const StartDelta = Type.Object({
  type: Type.Literal('start'),
  responseId: Type.Optional(Type.String()),
  model: Type.Optional(Type.String()),
})
export const TextStart = Type.Object({ type: Type.Literal('text_start'), contentIndex })
export const TextDelta = Type.Object({ type: Type.Literal('text_delta'), contentIndex, text })
export const TextEnd = Type.Object({
  type: Type.Literal('text_end'),
  contentIndex,
  signature: Type.Optional(Type.String()),
})
export const ThinkingStart = Type.Object({
  type: Type.Literal('thinking_start'),
  contentIndex,
  redacted: Type.Optional(Type.Boolean()),
})
export const ThinkingDelta = Type.Object({ type: Type.Literal('thinking_delta'), contentIndex, text })
export const ThinkingEnd = Type.Object({
  type: Type.Literal('thinking_end'),
  contentIndex,
  signature: Type.Optional(Type.String()),
})
export const ToolCallStart = Type.Object({
  type: Type.Literal('toolcall_start'),
  contentIndex,
  id: ToolCallId,
  name: Type.String(),
})
export const ToolCallDelta = Type.Object({ type: Type.Literal('toolcall_delta'), contentIndex, text })
/** `argumentsText` only where the text was no JSON object; `arguments` is then `{}`. */
export const ToolCallEnd = Type.Object({
  type: Type.Literal('toolcall_end'),
  contentIndex,
  arguments: Type.Record(Type.String(), Type.Unknown()),
  argumentsText: Type.Optional(Type.String()),
  signature: Type.Optional(Type.String()),
})
/** Cumulative: the last one counts. */
export const UsageDelta = Type.Object({ type: Type.Literal('usage'), usage: Type.Unsafe<Usage>(Type.Ref('Usage')) })
/** The end: a provider that completes without it ended early. */
export const DoneDelta = Type.Object({
  type: Type.Literal('done'),
  stopReason: StopReason,
  usage: Type.Unsafe<Usage>(Type.Ref('Usage')),
})

/** The nine deltas of a block. */
export const blockDeltas = [
  TextStart,
  TextDelta,
  TextEnd,
  ThinkingStart,
  ThinkingDelta,
  ThinkingEnd,
  ToolCallStart,
  ToolCallDelta,
  ToolCallEnd,
] as const
export type BlockDelta = Static<(typeof blockDeltas)[number]>

/** What a Provider emits. */
export const AssistantDelta = Type.Union([StartDelta, ...blockDeltas, UsageDelta, DoneDelta], { $id: 'AssistantDelta' })
export type AssistantDelta =
  BlockDelta | Static<typeof StartDelta> | Static<typeof UsageDelta> | Static<typeof DoneDelta>

const offset = Count

/** The deltas that carry text, with `offset` = UTF-16 units of this block before it: joinable, and a repeated one is recognised. */
export const PieceDelta = Type.Union([
  Type.Object({ ...TextDelta.properties, offset }),
  Type.Object({ ...ThinkingDelta.properties, offset }),
  // `id` and `name` only on a block's first checkpoint line
  Type.Object({
    ...ToolCallDelta.properties,
    offset,
    id: Type.Optional(ToolCallId),
    name: Type.Optional(Type.String()),
  }),
])
export type PieceDelta = Static<typeof PieceDelta>

/** What a `message_update` carries. */
export const MessageDelta = Type.Union(
  [PieceDelta, TextStart, TextEnd, ThinkingStart, ThinkingEnd, ToolCallStart, ToolCallEnd],
  { $id: 'MessageDelta' },
)
export type MessageDelta =
  PieceDelta | Exclude<BlockDelta, { type: 'text_delta' | 'thinking_delta' | 'toolcall_delta' }>
