// Tests that one disturbed repetition changes no figure.
import { describe, expect, it } from 'vitest'
import { median, medianRatio, quantile, spread } from '../../bench/statistics.ts'

describe('median', () => {
  it.each([
    [[3], 3],
    [[9, 1, 2], 2],
    [[1, 2, 3, 1_000], 2.5],
  ])('of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected)
  })

  it('of nothing throws', () => {
    expect(() => median([])).toThrow('no median')
  })
})

describe('medianRatio', () => {
  it('compares pairs, so that a slow phase of the machine cancels', () => {
    expect(medianRatio([2, 20, 200], [1, 10, 100])).toBe(2)
  })
})

describe('quantile', () => {
  it.each([
    [0.5, 2],
    [0.99, 4],
    [1, 4],
    [0, 1],
  ])('%d of the values are at most …', (share, expected) => {
    expect(quantile([4, 1, 3, 2], share)).toBe(expected)
  })

  it('of nothing throws', () => {
    expect(() => quantile([], 0.5)).toThrow('no quantile')
  })
})

describe('spread', () => {
  it('is the largest over the smallest', () => {
    expect(spread([2, 3, 2.5])).toBe(1.5)
  })
})
