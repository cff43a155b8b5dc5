// Tests the report of deltas: pi with one and 100 subscribers; unmeasured targets are not reached.
import { expect, it } from 'vitest'
import { deltasReport } from '../../bench/deltas-report.ts'
import { isReached } from '../../bench/report-text.ts'

it('compares each run with the run of pi beside it, and the lengths with one another', () => {
  const { targets } = deltasReport([
    { deltas: 1_000, subscribers: 1, ours: [1, 10, 2], pi: [1, 10, 1], piAtOnce: [1, 1, 1] },
    { deltas: 50_000, subscribers: 1, ours: [3, 3, 3], pi: [1, 1, 1], piAtOnce: [1, 1, 1] },
    { deltas: 1_000, subscribers: 10, ours: [9], pi: [1], piAtOnce: [] },
    { deltas: 1_000, subscribers: 100, ours: [1], pi: [2], piAtOnce: [] },
  ])
  expect(targets.map(({ what, measured, limit }) => [what, measured, limit])).toEqual([
    ['session ÷ pi, 1 subscriber, 1,000 deltas', 1, 2.5],
    ['session ÷ pi, 1 subscriber, 50,000 deltas', 3, 1.25],
    ['session ÷ pi, 100 subscribers, 1,000 deltas', 0.5, 0.6],
    ['dearest ÷ cheapest length, µs a delta, 1 subscriber', 1.5, 1.2],
  ])
})

it('has unmeasured targets if pi is missing', () => {
  const { tables, targets } = deltasReport([])
  expect(tables).toEqual([])
  expect(targets.map(isReached)).toEqual([undefined, undefined, undefined])
})
