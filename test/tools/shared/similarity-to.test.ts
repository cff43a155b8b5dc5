// Tests the similarity of two texts.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../support/cpu-time.ts'
import { similarityTo } from '../../../lib/tools/shared/nearest-text.ts'

describe('similarityTo', () => {
  it.each([
    ['same', ' Same', 1],
    ['readme.md', 'README.md', 1],
    ['night', 'nacht', 0.25],
    ['abc', 'xyz', 0],
    ['', '', 1],
    ['a', 'b', 0],
    ['aaaa', 'aa', 0.5],
  ])('rates %j and %j as similar to %d', (one, other, score) => {
    expect(similarityTo(one)(other)).toBeCloseTo(score)
  })

  it('is symmetric, between 0 and 1', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        const score = similarityTo(one)(other)
        expect(score).toBe(similarityTo(other)(one))
        expect(score >= 0 && score <= 1).toBe(true)
      }),
    )
  })

  it('compares only the beginning of long texts', () => {
    const start = cpuMs()
    similarityTo('x'.repeat(5_000_000))('y'.repeat(5_000_000))
    expect(cpuMs() - start).toBeLessThan(1_000)
  })
})
