// Tests the comparison: ratios of the same round, medians beside them, and no invented figures.
import { expect, it } from 'vitest'
import { compareFigures } from '../../bench/compare-figures.ts'

it('divides each of our rounds by the same round of the other, and keeps all medians', () => {
  const figures = { ours: [1, 4, 9], pi: [2, 4, 3], floor: [1, 2, 3] }
  expect(compareFigures({ what: 'it', unit: ' ms', ...figures, to: 'pi', limit: 1 })).toEqual({
    what: 'it',
    measured: 1,
    limit: 1,
    unit: '×',
    sides: { unit: ' ms', rxpi: 4, pi: 3, floor: 2 },
  })
  expect(compareFigures({ what: 'it', unit: ' ms', ...figures, to: 'floor', limit: 1 }).measured).toBe(2)
})

it.each([
  ['pi is not there', { ours: [1], pi: undefined, floor: [1] }, { rxpi: 1, pi: undefined, floor: 1 }],
  ['ours is not there', { ours: [], pi: [1] }, { rxpi: undefined, pi: 1, floor: undefined }],
])('measures nothing if %s', (_, figures, sides) => {
  expect(compareFigures({ what: 'it', unit: '', ...figures, to: 'pi', limit: 1 })).toMatchObject({
    measured: undefined,
    sides,
  })
})
