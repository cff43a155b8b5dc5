// Tests the visible rows of a list and the moves of its selection.
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../support/cpu-time.ts'
import { matchingRows, moveChoice, windowOf } from '../../../../app/ui/lists/list-state.ts'

const rows = ['lib/session.ts', 'lib/server.ts', 'README.md'].map((label) => ({ key: label, label }))
const keys = (query: string, keepsOrder = false) => matchingRows(rows, query, { keepsOrder }).map(({ key }) => key)

describe('matchingRows', () => {
  it('returns all rows without a search, else matching rows, best first', () => {
    expect(keys('  ')).toHaveLength(3)
    expect(keys('serv')).toEqual(['lib/server.ts'])
    expect(keys('zzz')).toEqual([])
  })

  it('searches hints too, and keeps the order if required', () => {
    const hinted = [
      { key: 'a', label: 'one', hint: 'running' },
      { key: 'b', label: 'running' },
    ]
    expect(matchingRows(hinted, 'running', { keepsOrder: true }).map(({ key }) => key)).toEqual(['a', 'b'])
  })

  it('finds the query in the middle of a word, and no letters that stand scattered', () => {
    const titled = [
      { key: 'a', label: 'Fix the failing tests of the port scanner', second: 'All done: number 3forked here' },
    ]
    expect(['forked', 'cann', 'Port'].filter((query) => matchingRows(titled, query).length === 0)).toEqual([])
    expect(matchingRows(titled, 'fsteh')).toEqual([])
  })

  it('filters 10,000 rows quickly enough to type', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ key: `${index}`, label: `src/part-${index}/file.ts` }))
    const from = cpuMs()
    expect(matchingRows(many, 'part-9999')[0]?.key).toBe('9999')
    expect(cpuMs() - from).toBeLessThan(1_000)
  })
})

it.each([
  ['listDown', 0, 1],
  ['listDown', 2, 0],
  ['listUp', 0, 2],
  ['listPageDown', 0, 2],
  ['listPageUp', 2, 0],
  ['listAccept', 1, 1],
] as const)('%s moves from row %i to %i of three', (action, from, to) => {
  expect(moveChoice(from, action, 3, 5)).toBe(to)
})

it('moveChoice stays at 0 in an empty list', () => {
  expect(moveChoice(4, 'listDown', 0, 5)).toBe(0)
})

it.each([
  [0, 0, 5, { from: 0, to: 0 }],
  [3, 2, 5, { from: 0, to: 3 }],
  [100, 0, 5, { from: 0, to: 5 }],
  [100, 50, 5, { from: 48, to: 53 }],
  [100, 99, 5, { from: 95, to: 100 }],
])('windowOf shows part of %i rows around row %i in a height of %i', (count, selected, height, part) => {
  expect(windowOf(count, selected, height)).toEqual(part)
})
