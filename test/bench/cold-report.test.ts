// Tests the report of first messages: each of our processes is compared with the next one of pi.
import { expect, it } from 'vitest'
import { coldReport } from '../../bench/cold-report.ts'

it('compares each process with the one after it', () => {
  const times = [4, 2, 1, 40, 10, 5, 9, 3, 3]
  const { tables, targets } = coldReport(times.map((time) => ({ deltas: 1_000, time, ready: 10 * time })))
  expect(tables[0]?.rows).toEqual([
    ['session', 3, 9, 3, 90],
    ['pi', 3, 3, 1, 30],
    ['bare loop', 3, 3, 0.5, 30],
  ])
  expect(targets[0]).toMatchObject({ measured: 3, limit: 1.25 })
})
