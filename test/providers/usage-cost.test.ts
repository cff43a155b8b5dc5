import { expect, it } from 'vitest'
import { usageCost } from '../../lib/providers/usage-cost.ts'

const tokens = { input: 1_000_000, output: 1_000_000, cacheRead: 0, cacheWrite: 0 }

it('is unknown without prices', () => {
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

it('takes the input price for cache reads that have none of their own', () => {
  expect(usageCost({ ...tokens, cacheRead: 1_000_000 }, { input: 3, output: 15 })).toMatchObject({ cacheRead: 3 })
})

it('is unknown for cache writes that have no price', () => {
  expect(usageCost({ ...tokens, cacheWrite: 1 }, { input: 3, output: 15 })).toBe('unknown')
})
