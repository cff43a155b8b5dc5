// Tests the report about 100 clients of one session.
import { expect, it } from 'vitest'
import { crowdReport } from '../../bench/client-crowds.ts'

it('compares WebSockets with sockets', () => {
  const { tables, targets } = crowdReport({ sockets: [100, 200, 150], webSockets: [150, 300, 225] })
  expect(tables[0]?.rows).toEqual([
    ['sockets', 150, 1],
    ['WebSockets', 225, 1.5],
  ])
  expect(targets).toMatchObject([{ measured: 1.5, limit: 2, unit: '×' }])
})
