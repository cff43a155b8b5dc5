// Tests that the cost of a waiting listener is compared with the same run without it.
import { expect, it } from 'vitest'
import { listenerReport } from '../../bench/listener-report.ts'

it('compares our run with a waiting listener with the run without one', () => {
  const { tables, targets } = listenerReport({
    deltas: 1_000,
    alone: { ours: [1, 2], pi: [1] },
    waiting: { ours: [1, 4], pi: [1_100] },
    busy: { ours: [1_000], pi: [1_000] },
  })
  expect(targets[0]).toMatchObject({ measured: 1.5, limit: 1.2 })
  expect(tables[0]?.rows[1]).toEqual(['one that waits 1 ms at each event', 2.5, 1_100])
})
