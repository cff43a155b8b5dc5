// Tests the report of the bridges: the ratio to the socket, and its limit.
import { expect, it } from 'vitest'
import { bridgesReport } from '../../bench/bridges.ts'

it('compares ACP and WebSocket with the socket', () => {
  const { tables, targets } = bridgesReport([2, 4, 3], [3, 6, 4.5], [2, 4, 3.3])
  expect(tables[0]?.rows).toEqual([
    ['socket', 3, 1],
    ['rxpi acp', 4.5, 1.5],
    ['WebSocket', 3.3, 1],
  ])
  expect(targets).toMatchObject([
    { measured: 1.5, limit: 1.5, unit: '×' },
    { measured: 1, limit: 1.5, unit: '×' },
  ])
})
