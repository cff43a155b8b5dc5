// Something for each thinking level; a level may be left out.
import { Type } from '@sinclair/typebox'
import type { Static, TSchema, TUnsafe } from '@sinclair/typebox'
import { thinkingLevels } from './thinking-level.ts'
import type { ThinkingLevel } from './thinking-level.ts'

/** An object with at most one such value a level. */
export function byLevel<Value extends TSchema>(
  value: Value,
): TUnsafe<Partial<Readonly<Record<ThinkingLevel, Static<Value>>>>> {
  const properties = Object.fromEntries(thinkingLevels.map((level) => [level, Type.Optional(value)]))
  return Type.Unsafe(Type.Object(properties, { additionalProperties: false }))
}
