// Tests that each of our rounds is compared with the round of pi beside it.
import { expect, it } from 'vitest'
import { turnsReport } from '../../bench/turns-report.ts'

it('compares each round with the round of pi beside it', () => {
  const { tables } = turnsReport({ turns: 1_000, synchronous: [2, 20], asynchronous: [3, 30], pi: [1, 10] })
  expect(tables[0]?.rows.map((row) => row.at(-1))).toEqual([2, 3, 1])
})
