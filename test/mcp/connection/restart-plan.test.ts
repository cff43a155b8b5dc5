// Tests when a server that ended is started again.
import { describe, expect, it } from 'vitest'
import { planRestart } from '../../../lib/mcp/connection/restart-plan.ts'

function delays(times: readonly number[]): readonly (number | 'give-up')[] {
  let ends: readonly number[] = []
  return times.map((now) => {
    const plan = planRestart(ends, now)
    if (plan.type === 'give-up') return plan.type
    ends = plan.ends
    return plan.delayMs
  })
}

describe('planRestart', () => {
  it.each([
    [
      'doubles the pause, and gives up at the fifth end within 5 minutes',
      [0, 1, 2, 3, 4],
      [1_000, 2_000, 4_000, 8_000, 'give-up'],
    ],
    ['forgets ends of more than 5 minutes ago', [0, 300_000, 600_000], [1_000, 1_000, 1_000]],
    [
      'counts the ends of the last 5 minutes',
      [0, 100_000, 200_000, 299_999, 300_000],
      [1_000, 2_000, 4_000, 8_000, 8_000],
    ],
  ] as const)('%s', (_, times, expected) => {
    expect(delays(times)).toEqual(expected)
  })
})
