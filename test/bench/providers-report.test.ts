// Tests the report of providers: each of our runs is compared with the bare parse right before it.
import { expect, it } from 'vitest'
import { providersReport } from '../../bench/providers-report.ts'
import { isReached } from '../../bench/report-text.ts'

const samples = {
  api: 'anthropic-messages',
  deltas: 100,
  ours: [1, 6, 2],
  sdk: [4, 8, 4],
  bare: [1, 2, 1],
  args: { whole: [3, 3, 3], quarter: [1, 1, 1] },
  heap: { early: 1, late: 1.5 },
}

it('compares the factor with the bare parse, and limits the growth of the heap and the cost of a longer argument', () => {
  const { targets } = providersReport([samples])
  expect(targets.map(({ measured, limit }) => [measured, limit])).toEqual([
    [2, 2],
    [0.5, 1],
    [3, 1.5],
  ])
  expect(targets.map(isReached)).toEqual([true, true, false])
})

it("reports the factor of Google's API without a limit: its frames contain more than a delta", () => {
  const { targets, tables } = providersReport([{ ...samples, api: 'google-generative-ai' }])
  expect(targets).toHaveLength(2)
  expect(tables[0]?.rows[0]).toContain(2)
})
