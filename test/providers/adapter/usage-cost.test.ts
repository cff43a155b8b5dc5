// Tests the cost of tokens at a model's prices.
import { describe, expect, it } from 'vitest'
import { unknownUsage } from '../../../lib/providers/adapter/usage-cost.ts'
import { usageCost } from '../../../lib/streams/models/price-usage.ts'

const tokens = { input: 1_000_000, output: 1_000_000, cacheRead: 0, cacheWrite: 0 }

it('is unknown without prices [MESSAGE-cost]', () => {
  expect(usageCost(tokens, undefined)).toBe('unknown')
})

it('prices each kind per million tokens', () => {
  const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
  expect(usageCost({ ...tokens, cacheRead: 2_000_000, cacheWrite: 4_000_000 }, prices)).toEqual({
    input: 3,
    output: 15,
    cacheRead: 0.6,
    cacheWrite: 15,
    total: 33.6,
  })
})

it('prices cache reads by the input price if they have no price of their own', () => {
  expect(usageCost({ ...tokens, cacheRead: 1_000_000 }, { input: 3, output: 15 })).toMatchObject({ cacheRead: 3 })
})

it('is unknown for cache writes that have no price', () => {
  expect(usageCost({ ...tokens, cacheWrite: 1 }, { input: 3, output: 15 })).toBe('unknown')
})

describe('a long request', () => {
  const prices = {
    input: 1,
    output: 2,
    cacheRead: 0.1,
    cacheWrite: 1.5,
    tiers: [
      { inputTokensAbove: 500_000, input: 4, output: 8, cacheRead: 0.4, cacheWrite: 6 },
      { inputTokensAbove: 200_000, input: 2, output: 4 },
    ],
  }
  const counts = (input: number, cacheRead = 0, cacheWrite = 0) => ({ input, output: 1_000_000, cacheRead, cacheWrite })

  it.each<[string, ReturnType<typeof counts>, object | 'unknown']>([
    ['is none up to the bound', counts(200_000), { input: 0.2, output: 2, cacheRead: 0, cacheWrite: 0, total: 2.2 }],
    ['costs as its tier says, all of it', counts(200_001), { input: 0.400002, output: 4, total: 4.400002 }],
    [
      'is counted with what the cache has',
      counts(100_000, 300_000),
      { input: 0.2, output: 4, cacheRead: 0.6, total: 4.8 },
    ],
    [
      'costs as the highest tier that it is in',
      counts(400_000, 0, 200_000),
      { input: 1.6, output: 8, cacheWrite: 1.2 },
    ],
    ['is unknown where its tier has no price for writing the cache', counts(200_000, 0, 1), 'unknown'],
  ])('%s', (_, tokens, cost) => {
    const found = usageCost(tokens, prices)
    if (typeof cost === 'string') expect(found).toBe(cost)
    else expect(found).toMatchObject(cost)
  })

  it('is not free if only short requests are free', () => {
    const free = { input: 0, output: 0 }
    expect(unknownUsage({ prices: free }).cost).toMatchObject({ total: 0 })
    expect(unknownUsage({ prices: { ...free, tiers: [{ inputTokensAbove: 1, input: 1, output: 1 }] } }).cost).toBe(
      'unknown',
    )
  })
})
