// Tests the buffer that keeps the end of a text.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textTail } from '../../../lib/tools/shell/text-tail.ts'

describe('textTail', () => {
  it('keeps at least the wanted length, and drops nothing up to twice that length', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 30 })), (pieces) => {
        const tail = textTail(10)
        for (const piece of pieces) tail.add(piece)
        const whole = pieces.join('')
        const text = tail.all()
        expect(whole.endsWith(text)).toBe(true)
        if (whole.length <= 20) expect(text).toBe(whole)
        expect(text.length).toBeGreaterThanOrEqual(Math.min(10, whole.length))
        expect(whole.endsWith(tail.last())).toBe(true)
        expect(tail.last().length).toBeLessThanOrEqual(10)
        expect(tail.isEmpty).toBe(whole === '')
      }),
    )
  })

  it('holds at most twice the wanted length and one piece', () => {
    const tail = textTail(100)
    for (let count = 0; count < 10_000; count += 1) {
      tail.add('0123456789')
      expect(tail.all().length).toBeLessThanOrEqual(210)
    }
  })

  it('accepts single characters by the million', () => {
    const tail = textTail(50_000)
    for (let count = 0; count < 1_000_000; count += 1) tail.add('x')
    expect(tail.last()).toHaveLength(50_000)
  })

  it('can be reset', () => {
    const tail = textTail(5)
    tail.add('before')
    tail.clear()
    expect([tail.isEmpty, tail.all()]).toEqual([true, ''])
    tail.add('after')
    expect(tail.last()).toBe('after')
  })
})
