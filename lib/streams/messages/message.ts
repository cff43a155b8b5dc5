// Schemas of messages, in pi's shapes. Guarantees: a message in an event is immutable.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { Count, Timestamp, ToolCallId } from '../values/identifiers.ts'
import { stringEnum, taggedUnion } from '../schema/schema-helpers.ts'

const blob = Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' }))
const bytes = Type.Optional(Count)

/**
 * `textSignature` is a provider's opaque mark, replayed to the same model. If a tool's text went to the blob store,
 * `text` is its start (1,024 UTF-16 units), `blob` the SHA-256 of the whole in UTF-8 and `bytes` its size.
 */
export const TextContent = Type.Object(
  { type: Type.Literal('text'), text: Type.String(), textSignature: Type.Optional(Type.String()), blob, bytes },
  { $id: 'TextContent' },
)
export type TextContent = Static<typeof TextContent>

/** A block of the model's thinking, with the signature that its provider wants back. */
export const ThinkingContent = Type.Object(
  {
    type: Type.Literal('thinking'),
    thinking: Type.String(),
    thinkingSignature: Type.Optional(Type.String()),
    redacted: Type.Optional(Type.Boolean()),
  },
  { $id: 'ThinkingContent' },
)
export type ThinkingContent = Static<typeof ThinkingContent>

/** An image: `data` is base64; if it went to the blob store, `blob` is its SHA-256 and `bytes` its size instead. */
export const ImageContent = Type.Object(
  {
    type: Type.Literal('image'),
    mimeType: Type.String(),
    data: Type.Optional(Type.String()),
    blob,
    bytes,
  },
  { $id: 'ImageContent' },
)
export type ImageContent = Static<typeof ImageContent>

/**
 * `argumentsText` is set while the call streams, and remains if the text was not a JSON object (`arguments` is then
 * `{}`).
 */
export const ToolCall = Type.Object(
  {
    type: Type.Literal('toolCall'),
    id: ToolCallId,
    name: Type.String(),
    arguments: Type.Record(Type.String(), Type.Unknown()),
    argumentsText: Type.Optional(Type.String()),
    thoughtSignature: Type.Optional(Type.String()),
  },
  { $id: 'ToolCall' },
)
export type ToolCall = Static<typeof ToolCall>

const Cost = Type.Object({
  input: Type.Number(),
  output: Type.Number(),
  cacheRead: Type.Number(),
  cacheWrite: Type.Number(),
  total: Type.Number(),
})

/** Tokens; `input` excludes cache reads and writes. `cost` in USD, `unknown` if prices are not known. */
export const Usage = Type.Object(
  {
    input: Count,
    output: Count,
    cacheRead: Count,
    cacheWrite: Count,
    reasoning: Type.Optional(Count),
    totalTokens: Count,
    cost: Type.Union([Cost, Type.Literal('unknown')]),
  },
  { $id: 'Usage' },
)
export type Usage = Static<typeof Usage>

export const stopReasons = ['stop', 'length', 'toolUse', 'error', 'aborted'] as const
/** Why an answer ended, as its provider says; `error` and `aborted` are of answers that did not end by themselves. */
export const StopReason = stringEnum(stopReasons)
export type StopReason = Static<typeof StopReason>

/** How a prompt came about, if not as plain text: `kind` is `skill`, `template`, `command`, `scenario` or `mcp`. */
export const Invocation = Type.Object({
  kind: Type.String(),
  name: Type.String(),
  args: Type.Optional(Type.Unknown()),
})
export type Invocation = Static<typeof Invocation>

/** One block of user or tool content. */
export const UserPart = taggedUnion<UserContent>('type', ['TextContent', 'ImageContent'])

/** User input, or text that is sent in the user's name. */
export const UserMessage = Type.Object(
  {
    role: Type.Literal('user'),
    content: Type.Union([Type.String(), Type.Array(UserPart)]),
    timestamp: Timestamp,
    invocation: Type.Optional(Invocation),
  },
  { $id: 'UserMessage' },
)
export interface UserMessage {
  readonly role: 'user'
  readonly content: string | readonly UserContent[]
  /** When it was delivered, Unix ms. */
  readonly timestamp: number
  /** How the prompt came about, if not as plain text. */
  readonly invocation?: Invocation
}
export type UserContent = TextContent | ImageContent

/** An answer of a model: text, thinking and tool calls in order, with its usage. */
export const AssistantMessage = Type.Object(
  {
    role: Type.Literal('assistant'),
    content: Type.Array(taggedUnion<AssistantContent>('type', ['TextContent', 'ThinkingContent', 'ToolCall'])),
    api: Type.String(),
    provider: Type.String(),
    model: Type.String(),
    responseModel: Type.Optional(Type.String()),
    responseId: Type.Optional(Type.String()),
    usage: Type.Ref('Usage'),
    stopReason: StopReason,
    errorMessage: Type.Optional(Type.String()),
    timestamp: Timestamp,
    durationMs: Type.Optional(Type.Number()),
  },
  { $id: 'AssistantMessage' },
)
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: readonly AssistantContent[]
  /** The API that carried it, such as `anthropic-messages`. */
  readonly api: string
  readonly provider: string
  /** The id of the requested model. */
  readonly model: string
  /** The model that the provider names in its answer, if it names another. */
  readonly responseModel?: string
  /** The provider's id of the answer, if it sends one. */
  readonly responseId?: string
  readonly usage: Usage
  readonly stopReason: StopReason
  /** Why the answer is incomplete: with `stopReason` `error` or `aborted`. */
  readonly errorMessage?: string
  /** When the request began, Unix ms. */
  readonly timestamp: number
  /** Milliseconds from `timestamp` to the end of the answer. */
  readonly durationMs?: number
}
export type AssistantContent = TextContent | ThinkingContent | ToolCall

/** One tool call's result. On a log line content, details and isError are absent: `tool_execution_end` has them. */
export const ToolResultMessage = Type.Object(
  {
    role: Type.Literal('toolResult'),
    toolCallId: ToolCallId,
    toolName: Type.String(),
    content: Type.Optional(Type.Array(UserPart)),
    details: Type.Optional(Type.Unknown()),
    isError: Type.Optional(Type.Boolean()),
    timestamp: Timestamp,
    durationMs: Type.Optional(Type.Number()),
  },
  { $id: 'ToolResultMessage' },
)
export interface ToolResultMessage {
  readonly role: 'toolResult'
  readonly toolCallId: string
  readonly toolName: string
  readonly content: readonly UserContent[]
  /** For people and programs, never for the model. */
  readonly details?: unknown
  readonly isError: boolean
  /** When the result was appended, Unix ms. */
  readonly timestamp: number
  /** Milliseconds that the call ran. */
  readonly durationMs?: number
}

/**
 * Custom roles, by declaration merging: `declare module 'rxpi' { interface CustomMessages { note: NoteMessage } }`.
 * They stay in the log and the UI; before a request they are dropped or converted.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- merged into by users
export interface CustomMessages {}

// oxlint-disable-next-line typescript/no-redundant-type-constituents -- `never` until a program merges a role in
export type Message = UserMessage | AssistantMessage | ToolResultMessage | CustomMessages[keyof CustomMessages]

const CustomMessage = Type.Object({
  role: Type.String({ pattern: '^(?!(user|assistant|toolResult)$)[A-Za-z][A-Za-z0-9]{0,63}$' }),
  timestamp: Timestamp,
})

/** Any message, on a line or in process. */
export const Message = Type.Unsafe<Message>(
  Type.Union([Type.Ref('UserMessage'), Type.Ref('AssistantMessage'), Type.Ref('ToolResultMessage'), CustomMessage], {
    $id: 'Message',
  }),
)

/** Zero usage: the start of every sum. */
export const noUsage: Usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
}

/** Adds usage field by field; if one cost is unknown, the sum's cost is unknown. */
export function addUsage(left: Usage, right: Usage): Usage {
  const reasoning = (left.reasoning ?? 0) + (right.reasoning ?? 0)
  return {
    input: left.input + right.input,
    output: left.output + right.output,
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite: left.cacheWrite + right.cacheWrite,
    ...(reasoning > 0 ? { reasoning } : {}),
    totalTokens: left.totalTokens + right.totalTokens,
    cost: addCost(left.cost, right.cost),
  }
}

function addCost(left: Usage['cost'], right: Usage['cost']): Usage['cost'] {
  if (left === 'unknown' || right === 'unknown') return 'unknown'
  return {
    input: left.input + right.input,
    output: left.output + right.output,
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite: left.cacheWrite + right.cacheWrite,
    total: left.total + right.total,
  }
}
