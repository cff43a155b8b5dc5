// Tests the cursor that counts the sent characters of a text.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TextCursor, cutBetweenCharacters } from '../../../lib/streams/values/text-cursor.ts'
import { binaryText } from '../../support/binary-text.ts'

describe('TextCursor', () => {
  it.each([
    ['the whole piece at the cursor', 3, { offset: 3, text: 'de' }, 'de', 5],
    ['the rest of a piece that was handled in part', 3, { offset: 1, text: 'bcde' }, 'de', 5],
    ['nothing of a piece that was handled', 3, { offset: 0, text: 'abc' }, '', 3],
    ['nothing of a piece that ends before the cursor', 3, { offset: 0, text: 'ab' }, '', 3],
    ['nothing of an empty piece', 3, { offset: 3, text: '' }, '', 3],
    ['the whole piece after a gap', 3, { offset: 7, text: 'hi' }, 'hi', 9],
    ['the whole piece after a gap that is shorter than it', 3, { offset: 4, text: 'hello' }, 'hello', 9],
  ])('advances by %s', (_name, length, piece, fresh, after) => {
    const cursor = new TextCursor(length)
    expect([cursor.isBefore(piece.offset), cursor.advance(piece), cursor.length]).toEqual([
      piece.offset > length,
      fresh,
      after,
    ])
  })

  it('moves back, never forward, when it is rewound', () => {
    const cursor = new TextCursor(5)
    cursor.rewind(8)
    expect(cursor.length).toBe(5)
    cursor.rewind(2)
    expect(cursor.advance({ offset: 0, text: 'abcdef' })).toBe('cdef')
  })

  it('cuts a text into pieces of whole characters that join to the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(binaryText(), fc.string({ unit: 'grapheme' })),
        fc.integer({ min: 2, max: 9 }),
        (text, longest) => {
          const cursor = new TextCursor()
          let joined = ''
          for (let piece = cursor.next(text, longest); piece !== undefined; piece = cursor.next(text, longest)) {
            expect(piece.offset).toBe(joined.length)
            expect(piece.text.length).toBeLessThanOrEqual(longest)
            if (text.isWellFormed()) expect(piece.text.isWellFormed()).toBe(true)
            joined += piece.text
          }
          expect(joined).toBe(text)
        },
      ),
    )
  })

  it('moves a cut out of a surrogate pair', () => {
    expect([cutBetweenCharacters('a😀b', 2), cutBetweenCharacters('a😀b', 3), cutBetweenCharacters('a😀', 3)]).toEqual([
      1, 3, 3,
    ])
  })

  it.each([
    ['between two letters', 'abc', 1, 1],
    ['after a low surrogate', '\u{10000}b', 2, 2],
    ['within a pair of the lowest surrogates', '\u{10000}b', 1, 0],
    ['at the end of a text that ends within a pair', 'a\ud83d', 2, 2],
  ])('cuts %s', (_name, text, at, expected) => {
    expect(cutBetweenCharacters(text, at)).toBe(expected)
  })
})
