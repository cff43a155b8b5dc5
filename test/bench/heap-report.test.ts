// Tests that memory is compared with the length of the text.
import { expect, it } from 'vitest'
import { heapReport } from '../../bench/heap-report.ts'

it('compares the memory with the text, and ours with the limit', () => {
  const MiB = 2 ** 20
  const { tables, targets } = heapReport(
    { deltas: 1e6, text: 20 * MiB, ended: 25 * MiB },
    { deltas: 1e6, text: 20 * MiB, ended: 200 * MiB },
  )
  expect(tables[0]?.rows).toEqual([
    ['session', 20, 25, 1.25],
    ['pi', 20, 200, 10],
  ])
  expect(targets[0]).toMatchObject({ measured: 1.25, limit: 1.5 })
})
