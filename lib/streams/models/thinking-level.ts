// Defines the thinking levels; providers map a level to a budget or an effort word.
import { Type } from '@sinclair/typebox'
import type { Static, TSchema, TUnsafe } from '@sinclair/typebox'

export const thinkingLevels = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const
export type ThinkingLevel = (typeof thinkingLevels)[number]

// An optional value for each thinking level.

/** The schema of such an object. */
export function byLevel<Value extends TSchema>(
  value: Value,
): TUnsafe<Partial<Readonly<Record<ThinkingLevel, Static<Value>>>>> {
  const properties = Object.fromEntries(thinkingLevels.map((level) => [level, Type.Optional(value)]))
  return Type.Unsafe(Type.Object(properties, { additionalProperties: false }))
}
