// Describes a model as plain data: name, endpoint, abilities and prices; never a key.
import { Type } from '@sinclair/typebox'
import type { Static, TSchema, TUnsafe } from '@sinclair/typebox'
import { Count } from '../values/identifiers.ts'
import { stringEnum } from '../schema/schema-helpers.ts'

const prices = {
  input: Type.Number({ minimum: 0 }),
  output: Type.Number({ minimum: 0 }),
  cacheRead: Type.Optional(Type.Number({ minimum: 0 })),
  cacheWrite: Type.Optional(Type.Number({ minimum: 0 })),
}

/**
 * USD per million tokens. If a request's input, with cache reads and writes, exceeds `inputTokensAbove` tokens, the
 * tier prices the whole request; of several such tiers the one with the highest bound applies.
 */
export const ModelPrices = Type.Object({
  ...prices,
  /** In rising order. Absent: long requests cost the same. */
  tiers: Type.Optional(Type.Array(Type.Object({ inputTokensAbove: Count, ...prices }))),
})
export type ModelPrices = Static<typeof ModelPrices>

/** A model as sessions use it: which API answers for it, what it takes, its window and prices (USD for a million tokens). */
export const Model = Type.Object(
  {
    /** With `provider` the name that people type: `provider/id`. */
    id: Type.String({ minLength: 1 }),
    provider: Type.String({ minLength: 1 }),
    /** The API that it is served over, e.g. `openai-completions`. */
    api: Type.String({ minLength: 1 }),
    name: Type.Optional(Type.String()),
    baseUrl: Type.Optional(Type.String()),
    /** Tokens; absent if unknown. */
    contextWindow: Type.Optional(Count),
    maxOutput: Type.Optional(Count),
    inputs: Type.Array(stringEnum(['text', 'image'])),
    reasoning: Type.Boolean(),
    prices: Type.Optional(ModelPrices),
    /** A local endpoint: the first token may take minutes while the model loads. */
    local: Type.Optional(Type.Boolean()),
    /** Printed once on stderr when the model is chosen, e.g. that the demo model is not a language model. */
    notice: Type.Optional(Type.String()),
  },
  { $id: 'Model' },
)
export type Model = Readonly<Static<typeof Model>>

/** `provider/id`. */
export function modelName(model: Pick<Model, 'provider' | 'id'>): string {
  return `${model.provider}/${model.id}`
}

export const thinkingLevels = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const
export type ThinkingLevel = (typeof thinkingLevels)[number]

/** True if requests to the model carry no such level: as far as is known, it does not think. */
export function ignoresLevel({ reasoning }: Pick<Model, 'reasoning'>, level: ThinkingLevel): boolean {
  return level !== 'off' && !reasoning
}

/** The notice about such a level. @param name the model's name */
export function ignoredLevelText(level: ThinkingLevel, name: string): string {
  return `The thinking level ${level} has no effect: as far as rxpi knows, ${name} does not think. If it does, models.json can say so ("reasoning": true)`
}

/** The schema of an object with an optional value for each thinking level. */
export function byLevel<Value extends TSchema>(
  value: Value,
): TUnsafe<Partial<Readonly<Record<ThinkingLevel, Static<Value>>>>> {
  const properties = Object.fromEntries(thinkingLevels.map((level) => [level, Type.Optional(value)]))
  return Type.Unsafe(Type.Object(properties, { additionalProperties: false }))
}
