// Tests the slope by least squares, also under noise.
import { expect, it } from 'vitest'
import { chanceOf } from '../../../bench/soak/chance.ts'
import { slope } from '../../../bench/soak/slope.ts'

it.each([
  ['a straight line', [0, 2, 4, 6], 2],
  ['one that falls', [3, 2, 1], -1],
  ['a series that goes up and down', [0, 10, 0, 10, 0], 0],
  ['one point', [5], 0],
  ['none', [], 0],
])('%s', (_, values, expected) => {
  expect(slope(values.map((y, x) => ({ x, y })))).toBeCloseTo(expected, 10)
})

it('finds half a unit under noise of twenty', () => {
  const chance = chanceOf(7)
  const points = Array.from({ length: 300 }, (_, index) => ({
    x: index / 12,
    y: 0.5 * (index / 12) + 20 * (chance.next() - 0.5),
  }))
  expect(slope(points)).toBeGreaterThan(0.2)
  expect(slope(points)).toBeLessThan(0.8)
})
