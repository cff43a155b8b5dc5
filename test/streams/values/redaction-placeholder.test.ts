// Tests the placeholder of a secret: its form, and the first new one of a text.
import { expect, it } from 'vitest'
import { findNewPlaceholder, redactionPlaceholder } from '../../../lib/streams/values/redaction-placeholder.ts'

const [one, other] = [redactionPlaceholder('A_TOKEN'), redactionPlaceholder('key of one')]
const longest = redactionPlaceholder('k'.repeat(100))

it.each([
  ['the first that the file does not have', `${one} ${other} ${longest}`, `x ${one}`, other],
  ['none if the file has all', `${other}${one}`, `${one} ${other}`, undefined],
  ['one of 100 characters', longest, '', longest],
  ['none of more characters', redactionPlaceholder('k'.repeat(101)), '', undefined],
  ['none without a name', redactionPlaceholder(''), '', undefined],
  ['none over two lines', redactionPlaceholder('a\nb'), '', undefined],
  ['one to its first bracket', '[redacted:a]b]', '', '[redacted:a]'],
])('finds %s [S18c]', (_, text, original, expected) => {
  expect(findNewPlaceholder(text, original)).toBe(expected)
})
