// Tests that the pieces form one JSON object of the requested length.
import { expect, it } from 'vitest'
import { argumentPieces } from '../../bench/long-argument.ts'

it('cuts the JSON of a file into pieces of the requested length', () => {
  const pieces = argumentPieces(2_000, 20)
  const text = pieces.join('')
  expect(text).toHaveLength(2_000)
  expect(pieces.every(({ length }) => length === 20)).toBe(true)
  expect(JSON.parse(text)).toEqual({
    path: 'folder/file.txt',
    content: expect.stringMatching(/^(delta \d{13}\n)+\.*$/) as string,
  })
})
