// The limits of one run; absent means the default, 0 means none.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { Count } from '../values/identifiers.ts'

/** Turns, tokens and USD are budgets; times are milliseconds, at most 2³¹−1. */
export const RunLimits = Type.Object(
  {
    turns: Type.Optional(Count),
    tokens: Type.Optional(Count),
    usd: Type.Optional(Type.Number({ minimum: 0 })),
    /** Identical tool calls in a row, over the run's turns. */
    sameCalls: Type.Optional(Count),
    idleMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
    wallClockMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
  },
  { $id: 'RunLimits' },
)
export type RunLimits = Static<typeof RunLimits>
