// Tests the truncation of texts by lines, bytes and UTF-16 units.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countLines,
  firstUnits,
  lastUnits,
  truncateHead,
  truncateTail,
  utf8Length,
} from '../../../lib/streams/values/truncate.ts'
import { binaryText } from '../../support/binary-text.ts'

describe('firstUnits', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abc', 4, 'abc'],
    ['abc', 2, 'ab'],
    ['a😀', 2, 'a'],
    ['a😀b', 3, 'a😀'],
    ['😀', 1, ''],
    ['a\udc00b', 1, 'a'],
    ['\ud800ab', 1, '\ud800'],
    ['abc', 0, ''],
  ])('of %j, %i: %j', (text, most, first) => {
    expect(firstUnits(text, most)).toBe(first)
  })
})

const wide = { maxLines: 1000, maxBytes: 100_000 }

describe('truncateHead', () => {
  it.each([
    ['nothing', '', wide, { text: '', lines: 0, totalLines: 0, cutLine: false }],
    ['a text that fits', 'a\nb\n', wide, { text: 'a\nb\n', lines: 2, totalLines: 2 }],
    ['a last line without its end', 'a\nb', wide, { text: 'a\nb', lines: 2 }],
    ['too many lines', 'a\nb\nc\n', { ...wide, maxLines: 2 }, { text: 'a\nb\n', cutBy: 'lines', totalLines: 3 }],
    ['too many bytes', 'aa\nbb\ncc', { ...wide, maxBytes: 7 }, { text: 'aa\nbb\n', cutBy: 'bytes', totalBytes: 8 }],
    ['a first line too long', 'abcdef\nb', { ...wide, maxBytes: 3 }, { text: 'abc', cutBy: 'bytes', cutLine: true }],
    ['a character at the cut', 'a😀b', { ...wide, maxBytes: 4 }, { text: 'a', cutLine: true }],
    ['no lines wanted', 'a\nb', { ...wide, maxLines: 0 }, { text: '', cutBy: 'lines', cutLine: false }],
  ])('keeps the beginning of %s', (_, text, limits, expected) => {
    expect(truncateHead(text, limits)).toMatchObject(expected)
  })
})

describe('truncateTail', () => {
  it.each([
    ['nothing', '', wide, { text: '', lines: 0 }],
    ['a text that fits', '\na\n', wide, { text: '\na\n', lines: 2 }],
    ['too many lines', 'a\nb\nc\n', { ...wide, maxLines: 2 }, { text: 'b\nc\n', cutBy: 'lines', totalLines: 3 }],
    ['too many bytes', 'aa\nbb\ncc', { ...wide, maxBytes: 6 }, { text: 'bb\ncc', cutBy: 'bytes' }],
    ['a last line too long', 'a\nabcdef', { ...wide, maxBytes: 3 }, { text: 'def', cutBy: 'bytes', cutLine: true }],
    ['a character at the cut', 'b😀a', { ...wide, maxBytes: 4 }, { text: 'a', cutLine: true }],
    ['empty lines', '\n\n\n', { ...wide, maxLines: 2 }, { text: '\n\n', lines: 2, totalLines: 3 }],
  ])('keeps the end of %s', (_, text, limits, expected) => {
    expect(truncateTail(text, limits)).toMatchObject(expected)
  })
})

describe('truncation of any text', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '€', '😀', '\r\n') })
  const limits = fc.record({ maxLines: fc.nat(6), maxBytes: fc.nat(20) })

  it('keeps a prefix or suffix of the text within both limits, and never half a character', () => {
    fc.assert(
      fc.property(texts, limits, (text, limit) => {
        const head = truncateHead(text, limit)
        const tail = truncateTail(text, limit)
        expect(text.startsWith(head.text)).toBe(true)
        expect(text.endsWith(tail.text)).toBe(true)
        for (const part of [head, tail]) {
          expect(part.lines).toBeLessThanOrEqual(limit.maxLines)
          expect(part.bytes).toBeLessThanOrEqual(limit.maxBytes)
          expect(part.text.isWellFormed()).toBe(true)
          expect(part.cutBy === undefined).toBe(part.text === text)
          const fits = part.totalLines <= limit.maxLines && part.totalBytes <= limit.maxBytes
          expect(part.text === text).toBe(fits)
        }
      }),
    )
  })

  it('counts bytes like an encoder', () => {
    fc.assert(
      fc.property(binaryText(), (text) => {
        expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length)
      }),
    )
  })
})

describe('lastUnits', () => {
  it('returns one unit less rather than half a pair', () => {
    expect(lastUnits('a😀b', 2)).toBe('b')
    expect(lastUnits('a😀b', 3)).toBe('😀b')
    expect(lastUnits('ab', 5)).toBe('ab')
  })
})

describe('countLines', () => {
  it.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['a\n\n', 2],
    ['\n', 1],
  ])('of %j is %d', (text, lines) => {
    expect(countLines(text)).toBe(lines)
  })
})
