// Describes a scripted model's answers as plain data.
// The shape is the same in a test, a program and a JSON file.
import { Type } from '@sinclair/typebox'
import { providerFailureKinds } from '../values/failure.ts'
import type { ProviderFailureKind } from '../values/failure.ts'
import { Count, ToolCallId } from '../values/identifiers.ts'
import type { StopReason } from '../messages/message.ts'
import { StopReason as StopReasonSchema } from '../messages/message.ts'
import { stringEnum } from '../schema/schema-helpers.ts'

const closed = { additionalProperties: false }
const milliseconds = Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }))

/** One call that the answer asks for. */
export interface ScriptedCall {
  readonly name: string
  /** An object, or the text as it would come from the provider (also text that is not JSON). Default `{}`. */
  readonly arguments?: Readonly<Record<string, unknown>> | string
  /** Default: `call_<request>_<call>`, both counted from 1. */
  readonly id?: string
}

/** How an answer fails after its content. */
export interface ScriptedError {
  readonly kind: ProviderFailureKind
  readonly message?: string
  readonly status?: number
  readonly retryAfterMs?: number
}

/** One answer: thinking, then text, then tool calls, then its end. All fields are optional; `{}` is an empty answer. */
export interface ScriptedAnswer {
  /** An array gives the exact pieces, one delta each. */
  readonly thinking?: string | readonly string[]
  readonly text?: string | readonly string[]
  readonly toolCalls?: readonly ScriptedCall[]
  /** Default: `toolUse` if there are calls, else `stop`. */
  readonly stopReason?: StopReason
  /** Tokens; absent counts are 0. The cost follows from the model's prices. */
  readonly usage?: {
    readonly input?: number
    readonly output?: number
    readonly cacheRead?: number
    readonly cacheWrite?: number
    readonly reasoning?: number
  }
  /** Characters per delta; surrogate pairs stay whole. Default 0: one delta a block. */
  readonly pieceLength?: number
  /** Milliseconds before the first delta. Default 0: emitted synchronously on subscription. */
  readonly delayMs?: number
  /** Milliseconds between two pieces. Default 0. */
  readonly pieceDelayMs?: number
  /** Fails instead of ending; open blocks are complete by then. */
  readonly error?: ScriptedError
  /** `early`: completes without `done`; `never`: stays silent after its last piece. Default: ends with `done`. */
  readonly end?: 'early' | 'never'
}

const pieces = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())]))

const Call = Type.Object(
  {
    name: Type.String(),
    arguments: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.String()])),
    id: Type.Optional(ToolCallId),
  },
  closed,
)

const Answer = Type.Object(
  {
    thinking: pieces,
    text: pieces,
    toolCalls: Type.Optional(Type.Array(Call)),
    stopReason: Type.Optional(StopReasonSchema),
    usage: Type.Optional(
      Type.Object(
        {
          input: Type.Optional(Count),
          output: Type.Optional(Count),
          cacheRead: Type.Optional(Count),
          cacheWrite: Type.Optional(Count),
          reasoning: Type.Optional(Count),
        },
        closed,
      ),
    ),
    pieceLength: Type.Optional(Count),
    delayMs: milliseconds,
    pieceDelayMs: milliseconds,
    error: Type.Optional(
      Type.Object(
        {
          kind: stringEnum(providerFailureKinds),
          message: Type.Optional(Type.String()),
          status: Type.Optional(Count),
          retryAfterMs: Type.Optional(Count),
        },
        closed,
      ),
    ),
    end: Type.Optional(stringEnum(['early', 'never'])),
  },
  closed,
)

/** A script: one answer a request, in order; a string is an answer of that text. */
export const ScriptFile = Type.Unsafe<ScriptFile>(
  Type.Array(Type.Union([Type.String(), Answer]), { $id: 'ScriptFile' }),
)
export type ScriptFile = readonly (string | ScriptedAnswer)[]
