// Defines the schemas of a custom provider.
// They cover its declaration's data, and the parts that its parser returns.
import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'
import { providerFailureKinds } from '../../streams/values/failure.ts'
import { Model } from '../../streams/models/model.ts'
import { stringEnum } from '../../streams/schema/schema-helpers.ts'
import type { StopReason } from '../../streams/messages/message.ts'

const closed = { additionalProperties: false }
const { id, name, contextWindow, maxOutput, inputs, reasoning, prices } = Model.properties
const text = Type.String({ minLength: 1 })
const variable = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' })
const headerName = Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" })

const DeclaredModel = Type.Object(
  {
    id,
    name,
    contextWindow,
    maxOutput,
    inputs: Type.Optional(inputs),
    reasoning: Type.Optional(reasoning),
    prices,
  },
  closed,
)

/** The listed models of a custom provider; any other id is valid too. */
export const CustomModels = Type.Array(Type.Union([text, DeclaredModel]))

/** The fields of a declared provider that are data: its name, models, address and keys. */
export const ProviderDetails = Type.Object(
  {
    /** The part of `provider/id` before the slash. */
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,63}$' }),
    models: Type.Optional(CustomModels),
    defaultModel: Type.Optional(text),
    baseUrl: Type.Optional(Type.String({ pattern: '^https?://' })),
    baseUrlVariable: Type.Optional(variable),
    auth: Type.Optional(
      Type.Object({ variable, header: Type.Optional(headerName), prefix: Type.Optional(Type.String()) }, closed),
    ),
    headers: Type.Optional(Type.Record(headerName, Type.String(), closed)),
    errorMap: Type.Optional(Type.Record(Type.String(), stringEnum(providerFailureKinds))),
  },
  { ...closed, $id: 'ProviderDetails' },
)
export type ProviderDetails = Static<typeof ProviderDetails>

type Maybe<Value> = Value | null | undefined

/**
 * A piece of a call. The first one has its name; later ones have its `index` or `id`, or neither if only one call is
 * open.
 */
export interface CallPart {
  readonly index?: Maybe<number>
  /** @default invented */
  readonly id?: Maybe<string>
  readonly name?: Maybe<string>
  /** A piece of JSON text, or the whole object. */
  readonly arguments?: Maybe<string | object>
}

/** The content of one piece of a response, or of a whole one; absent, null and empty fields add nothing. */
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
  /** The model that answers, if the API reports it. */
  readonly model?: Maybe<string>
  /** The response is complete; its usage may follow within 2 s. @default `toolUse` if there are calls, else `stop` */
  readonly stopReason?: Maybe<Extract<StopReason, 'stop' | 'length' | 'toolUse'>>
  /** The response is complete, and nothing follows. */
  readonly done?: Maybe<boolean>
  /** The answer failed. */
  readonly error?: Maybe<{
    readonly message: string
    readonly code?: Maybe<string | number>
    readonly status?: Maybe<number>
  }>
}

const maybe = (schema: object) => Type.Optional(Type.Unsafe({ ...schema, nullable: true }))
const maybeText = maybe(Type.String())
const maybeInteger = maybe(Type.Integer())
const maybeCount = maybe(Type.Number())

export const AnswerParts = Type.Unsafe<AnswerParts>(
  Type.Object(
    {
      text: maybeText,
      thinking: maybeText,
      toolCalls: maybe(
        Type.Array(
          Type.Object(
            { index: maybeInteger, id: maybeText, name: maybeText, arguments: maybe({ type: ['string', 'object'] }) },
            closed,
          ),
        ),
      ),
      usage: maybe(
        Type.Object(
          {
            input: maybeCount,
            output: maybeCount,
            cacheRead: maybeCount,
            cacheWrite: maybeCount,
            reasoning: maybeCount,
          },
          closed,
        ),
      ),
      responseId: maybeText,
      model: maybeText,
      stopReason: maybe({ type: 'string', enum: ['stop', 'length', 'toolUse', null] }),
      done: maybe(Type.Boolean()),
      error: maybe(
        Type.Object(
          { message: Type.String(), code: maybe({ type: ['string', 'number'] }), status: maybeInteger },
          closed,
        ),
      ),
    },
    { ...closed, $id: 'AnswerParts' },
  ),
)

/** The schemas that the build compiles to validators, by their `$id`. */
export const declarationSchemas: Record<string, TSchema> = { ProviderDetails, AnswerParts }
