// How much a model is asked to think before it answers; providers map the level to a budget or an effort word.
import { Type } from '@sinclair/typebox'
import type { Static, TSchema, TUnsafe } from '@sinclair/typebox'

export const thinkingLevels = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const
export type ThinkingLevel = (typeof thinkingLevels)[number]

// Something for each thinking level; a level may be left out.

/** An object with at most one such value a level. */
export function byLevel<Value extends TSchema>(
  value: Value,
): TUnsafe<Partial<Readonly<Record<ThinkingLevel, Static<Value>>>>> {
  const properties = Object.fromEntries(thinkingLevels.map((level) => [level, Type.Optional(value)]))
  return Type.Unsafe(Type.Object(properties, { additionalProperties: false }))
}
