// Tests the text of a report: each figure beside its target; unmeasured is never a success.
import { expect, it } from 'vitest'
import { isReached, reportText } from '../../bench/report-text.ts'

it('writes columns, targets with their verdict, and notes', () => {
  const text = reportText({
    tables: [
      {
        title: 'speed',
        columns: [{ title: 'deltas' }, { title: 'µs', digits: 2 }],
        rows: [
          [1_000, 0.5],
          [1_000_000, undefined],
        ],
      },
    ],
    targets: [
      { what: 'ours ÷ bare', measured: 2.005, limit: 3, unit: '×' },
      { what: 'first request', measured: 6_000, limit: 5_700, unit: ' bytes' },
      { what: 'ours ÷ pi', measured: undefined, limit: 0.5, unit: '×' },
    ],
    notes: ['pi is not there'],
  })
  expect(text).toBe(`  speed
    deltas       µs
    1,000      0.50
    1,000,000     –

  targets
                      measured         target
    ours ÷ bare          2.01×        ≤ 3.00×       reached
    first request  6,000 bytes  ≤ 5,700 bytes        MISSED
    ours ÷ pi                –        ≤ 0.50×  not measured

  pi is not there
`)
})

it.each([
  [1, true],
  [1.01, false],
  [undefined, undefined],
])('reports for %s against a limit of 1 whether it is reached: %s', (measured, reached) => {
  expect(isReached({ what: '', measured, limit: 1, unit: '' })).toBe(reached)
})
