// Defines the schemas of the deltas that a provider emits.
// A delta carries only what is new; folding the deltas in order gives the message.
import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'
import { Count, ToolCallId } from '../values/identifiers.ts'
import { StopReason, Usage } from './message.ts'
import { taggedUnion } from '../schema/schema-helpers.ts'
import { Failure } from '../values/failure.ts'

const contentIndex = Count
const text = Type.String()

/** First delta: the response's metadata. */
export const StartDelta = Type.Object(
  { type: Type.Literal('start'), responseId: Type.Optional(Type.String()), model: Type.Optional(Type.String()) },
  { $id: 'delta_start' },
)
export const TextStart = Type.Object({ type: Type.Literal('text_start'), contentIndex }, { $id: 'delta_text_start' })
export const TextDelta = Type.Object(
  { type: Type.Literal('text_delta'), contentIndex, text },
  { $id: 'delta_text_delta' },
)
export const TextEnd = Type.Object(
  { type: Type.Literal('text_end'), contentIndex, signature: Type.Optional(Type.String()) },
  { $id: 'delta_text_end' },
)
export const ThinkingStart = Type.Object(
  { type: Type.Literal('thinking_start'), contentIndex, redacted: Type.Optional(Type.Boolean()) },
  { $id: 'delta_thinking_start' },
)
export const ThinkingDelta = Type.Object(
  { type: Type.Literal('thinking_delta'), contentIndex, text },
  { $id: 'delta_thinking_delta' },
)
export const ThinkingEnd = Type.Object(
  { type: Type.Literal('thinking_end'), contentIndex, signature: Type.Optional(Type.String()) },
  { $id: 'delta_thinking_end' },
)
export const ToolCallStart = Type.Object(
  { type: Type.Literal('toolcall_start'), contentIndex, id: ToolCallId, name: Type.String() },
  { $id: 'delta_toolcall_start' },
)
export const ToolCallDelta = Type.Object(
  { type: Type.Literal('toolcall_delta'), contentIndex, text },
  { $id: 'delta_toolcall_delta' },
)
/** `argumentsText` only if the text was not a JSON object; `arguments` is then `{}`. */
export const ToolCallEnd = Type.Object(
  {
    type: Type.Literal('toolcall_end'),
    contentIndex,
    arguments: Type.Record(Type.String(), Type.Unknown()),
    argumentsText: Type.Optional(Type.String()),
    signature: Type.Optional(Type.String()),
  },
  { $id: 'delta_toolcall_end' },
)
/** Cumulative: the last one is valid. */
export const UsageDelta = Type.Object(
  { type: Type.Literal('usage'), usage: Type.Unsafe<Usage>(Type.Ref('Usage')) },
  { $id: 'delta_usage' },
)
/** A warning about the response, in the shape of the event that it becomes. */
export const WarningDelta = Type.Object(
  {
    type: Type.Literal('warning'),
    code: Type.String(),
    message: Type.String(),
    context: Type.Optional(Type.Unknown()),
    recoverable: Type.Boolean(),
  },
  { $id: 'delta_warning' },
)
/** Last delta: a provider that completes without it ended early. */
export const DoneDelta = Type.Object(
  { type: Type.Literal('done'), stopReason: StopReason, usage: Type.Unsafe<Usage>(Type.Ref('Usage')) },
  { $id: 'delta_done' },
)

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

/** The deltas that a Provider emits. */
export type AssistantDelta =
  | BlockDelta
  | Static<typeof StartDelta>
  | Static<typeof UsageDelta>
  | Static<typeof WarningDelta>
  | Static<typeof DoneDelta>
export const AssistantDelta = taggedUnion<AssistantDelta>(
  'type',
  idsOf([StartDelta, ...blockDeltas, UsageDelta, WarningDelta, DoneDelta]),
  { $id: 'AssistantDelta' },
)

const offset = Count
const TextPiece = Type.Object({ ...TextDelta.properties, offset }, { $id: 'piece_text_delta' })
const ThinkingPiece = Type.Object({ ...ThinkingDelta.properties, offset }, { $id: 'piece_thinking_delta' })
// `id` and `name` only on a block's first checkpoint line
const ToolCallPiece = Type.Object(
  { ...ToolCallDelta.properties, offset, id: Type.Optional(ToolCallId), name: Type.Optional(Type.String()) },
  { $id: 'piece_toolcall_delta' },
)
const pieces = [TextPiece, ThinkingPiece, ToolCallPiece] as const

/**
 * The deltas that carry text, with `offset` = UTF-16 units of this block before it. Pieces can be joined, and repeats
 * detected.
 */
export type PieceDelta = Static<(typeof pieces)[number]>

/** The deltas that a `message_update` carries. */
export type MessageDelta =
  | PieceDelta
  | Exclude<BlockDelta, { type: 'text_delta' | 'thinking_delta' | 'toolcall_delta' }>
export const MessageDelta = taggedUnion<MessageDelta>(
  'type',
  idsOf([...pieces, TextStart, TextEnd, ThinkingStart, ThinkingEnd, ToolCallStart, ToolCallEnd]),
  { $id: 'MessageDelta' },
)

/** The schemas that the two unions above refer to. */
export const deltaSchemas: readonly TSchema[] = [
  StartDelta,
  ...blockDeltas,
  UsageDelta,
  WarningDelta,
  DoneDelta,
  ...pieces,
]

function idsOf(schemas: readonly TSchema[]): string[] {
  return schemas.map(({ $id }) => String($id))
}

/**
 * Failure `provider_error` of kind `network`: a provider that breaks its contract counts as a broken connection. The
 * message names the delta's type and position, never its content.
 */
export function invalidDelta(value: unknown, why: string): Failure {
  return new Failure('provider_error', `The provider sent ${describeDelta(value)}, ${why}`, {
    data: { kind: 'network' },
  })
}

/** The same for a value that is not a delta. */
export function notADelta(value: unknown, problem?: string): Failure {
  return invalidDelta(value, `which is not a delta${problem === undefined ? '' : `: ${problem}`}`)
}

function describeDelta(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value !== 'object') return `a ${typeof value}`
  if (!('type' in value) || typeof value.type !== 'string') return 'an object without a type'
  const block =
    'contentIndex' in value && typeof value.contentIndex === 'number' ? ` for block ${value.contentIndex}` : ''
  return `${value.type.slice(0, 64)}${block}`
}
