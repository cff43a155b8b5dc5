// What a user's parser says of an answer is data like any other: it is checked before it is believed.
import { Type } from '@sinclair/typebox'
import type { StopReason } from '../../streams/messages/message.ts'

type Maybe<Value> = Value | null | undefined

/** A piece of a call: the first one has its name; later ones its `index` or `id`, or nothing where only one is open. */
export interface CallPart {
  readonly index?: Maybe<number>
  /** @default invented */
  readonly id?: Maybe<string>
  readonly name?: Maybe<string>
  /** A piece of JSON text, or the whole object. */
  readonly arguments?: Maybe<string | object>
}

/** What one piece of an answer, or a whole one, says; what is absent, null or empty says nothing. */
export interface AnswerParts {
  readonly text?: Maybe<string>
  readonly thinking?: Maybe<string>
  readonly toolCalls?: Maybe<readonly CallPart[]>
  /** Tokens so far, the last ones count; `input` without those that came from the cache, `output` with reasoning. */
  readonly usage?: Maybe<{
    readonly input?: Maybe<number>
    readonly output?: Maybe<number>
    readonly cacheRead?: Maybe<number>
    readonly cacheWrite?: Maybe<number>
    readonly reasoning?: Maybe<number>
  }>
  readonly responseId?: Maybe<string>
  /** The model that answers, where the API says. */
  readonly model?: Maybe<string>
  /** The answer is whole; its usage may still follow for 2 s. @default `toolUse` where there are calls, else `stop` */
  readonly stopReason?: Maybe<Extract<StopReason, 'stop' | 'length' | 'toolUse'>>
  /** The answer is whole, and nothing follows. */
  readonly done?: Maybe<boolean>
  /** The answer failed. */
  readonly error?: Maybe<{
    readonly message: string
    readonly code?: Maybe<string | number>
    readonly status?: Maybe<number>
  }>
}

const closed = { additionalProperties: false }
const maybe = (schema: object) => Type.Optional(Type.Unsafe({ ...schema, nullable: true }))
const text = maybe(Type.String())
const integer = maybe(Type.Integer())
const count = maybe(Type.Number())

export const AnswerParts = Type.Unsafe<AnswerParts>(
  Type.Object(
    {
      text,
      thinking: text,
      toolCalls: maybe(
        Type.Array(
          Type.Object(
            { index: integer, id: text, name: text, arguments: maybe({ type: ['string', 'object'] }) },
            closed,
          ),
        ),
      ),
      usage: maybe(
        Type.Object({ input: count, output: count, cacheRead: count, cacheWrite: count, reasoning: count }, closed),
      ),
      responseId: text,
      model: text,
      stopReason: maybe({ type: 'string', enum: ['stop', 'length', 'toolUse', null] }),
      done: maybe(Type.Boolean()),
      error: maybe(
        Type.Object({ message: Type.String(), code: maybe({ type: ['string', 'number'] }), status: integer }, closed),
      ),
    },
    { ...closed, $id: 'AnswerParts' },
  ),
)
