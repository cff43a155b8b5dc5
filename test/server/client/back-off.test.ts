// Tests the delay before a client reconnects: exponential growth, limit and jitter.
import { expect, it } from 'vitest'
import { backOff } from '../../../lib/server/client/reconnect.ts'

it.each([
  [1, 1, 100],
  [2, 1, 200],
  [4, 1, 800],
  [8, 1, 10_000],
  [1_000, 1, 10_000],
  [1, 0, 50],
  [8, 0, 5_000],
])('before attempt %i with jitter %i it waits %i ms', (attempt, jitter, delayMs) => {
  expect(backOff(attempt, { jitter: () => jitter })).toBe(delayMs)
})

it('stays between half and all of the exponential delay', () => {
  for (let attempt = 1; attempt < 20; attempt++) {
    const delayMs = backOff(attempt, { baseDelayMs: 10, maxDelayMs: 500 })
    const grown = Math.min(500, 10 * 2 ** (attempt - 1))
    expect(delayMs).toBeGreaterThanOrEqual(Math.round(grown / 2))
    expect(delayMs).toBeLessThanOrEqual(grown)
  }
})
