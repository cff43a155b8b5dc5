// Tests the sum of token usage and cost.
import { describe, expect, it } from 'vitest'
import { noUsage, addUsage } from '../../../lib/streams/messages/message.ts'
import type { Usage } from '../../../lib/streams/messages/message.ts'

const one: Usage = {
  input: 1,
  output: 2,
  cacheRead: 3,
  cacheWrite: 4,
  reasoning: 5,
  totalTokens: 10,
  cost: { input: 0.5, output: 1, cacheRead: 0.25, cacheWrite: 2, total: 3.75 },
}

describe('addUsage', () => {
  it('adds field by field', () => {
    expect(addUsage(one, one)).toEqual({
      input: 2,
      output: 4,
      cacheRead: 6,
      cacheWrite: 8,
      reasoning: 10,
      totalTokens: 20,
      cost: { input: 1, output: 2, cacheRead: 0.5, cacheWrite: 4, total: 7.5 },
    })
  })

  it('starts from nothing', () => {
    expect(addUsage(noUsage, one)).toEqual(one)
    expect(addUsage(noUsage, noUsage)).toEqual(noUsage)
  })

  it.each([
    [one, { ...one, cost: 'unknown' }],
    [{ ...one, cost: 'unknown' }, one],
    [
      { ...one, cost: 'unknown' },
      { ...one, cost: 'unknown' },
    ],
  ] as const)('has an unknown cost if one side has an unknown cost [MESSAGE-cost]', (left, right) => {
    expect(addUsage(left, right)).toMatchObject({ cost: 'unknown', totalTokens: 20 })
  })
})
