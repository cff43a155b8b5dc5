// One disturbed repetition moves no figure.
import { describe, expect, it } from 'vitest'
import { median, medianRatio, spread } from '../../bench/statistics.ts'

describe('median', () => {
  it.each([
    [[3], 3],
    [[9, 1, 2], 2],
    [[1, 2, 3, 1_000], 2.5],
  ])('of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected)
  })

  it('of nothing is an error', () => {
    expect(() => median([])).toThrow('no median')
  })
})

describe('medianRatio', () => {
  it('compares pairs, so that a slow phase of the machine cancels', () => {
    expect(medianRatio([2, 20, 200], [1, 10, 100])).toBe(2)
  })
})

describe('spread', () => {
  it('is the largest over the smallest', () => {
    expect(spread([2, 3, 2.5])).toBe(1.5)
  })
})
