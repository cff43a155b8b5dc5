// Tests that a report of several parts contains all of each.
import { expect, it } from 'vitest'
import { joinReports } from '../../bench/join-reports.ts'

it('lists the parts one after the other', () => {
  const table = (title: string) => ({ title, columns: [], rows: [] })
  expect(
    joinReports([
      { tables: [table('one')], targets: [], notes: ['first'] },
      { tables: [table('two')], targets: [{ what: 'it', measured: 1, limit: 2, unit: '×' }], notes: ['second'] },
    ]),
  ).toEqual({
    tables: [table('one'), table('two')],
    targets: [{ what: 'it', measured: 1, limit: 2, unit: '×' }],
    notes: ['first', 'second'],
  })
})
