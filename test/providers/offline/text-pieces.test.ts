// Tests the division of a text into pieces.
import { assert, property, integer, string } from 'fast-check'
import { expect, it } from 'vitest'
import { textPieces } from '../../../lib/providers/offline/message-deltas.ts'

it('returns pieces that join to the text and never split a surrogate pair', () => {
  assert(
    property(string({ unit: 'grapheme', maxLength: 60 }), integer({ min: 0, max: 9 }), (text, length) => {
      const pieces = [...textPieces(text, length)]
      expect(pieces.join('')).toBe(text)
      expect(pieces.every((piece) => piece !== '' && piece.isWellFormed())).toBe(true)
    }),
  )
})

it('returns no piece for an empty text and one piece for length 0', () => {
  expect([...textPieces('', 3)]).toEqual([])
  expect([...textPieces('whole', 0)]).toEqual(['whole'])
})
