// Tests the cleaning and bounding of servers' texts.
import { expect, it } from 'vitest'
import { dataText, describingLine, describingText, textField } from '../../../lib/mcp/content/foreign-text.ts'

it.each([
  ['  plain  ', 'plain'],
  ['\u001b]8;;https://example.com\u0007link\u001b]8;;\u0007', 'link'],
  ['a\u0000b\u0007c\u009bd', 'abcd'],
  ['zero\u200bwidth \u{e0049}\u{e0067}tags \u202ebidi', 'zerowidth tags bidi'],
  ['two\r\nlines\tand a tab', 'two\nlines\tand a tab'],
])('describingText of %j is %j', (text, clean) => {
  expect(describingText(text, 1_000)).toBe(clean)
})

it('cuts too long a text between two characters', () => {
  expect(describingText('one\ntwo\nthree', 9)).toBe('one\ntwo\nt…')
  expect(describingText('aö', 2)).toBe('a…')
  expect(describingText('abcdef', 3)).toBe('abc…')
  expect(describingText('\u200b'.repeat(1_000), 10)).toBe('…')
})

it('writes a line', () => {
  expect(describingLine(' a\n\tb ', 10)).toBe('a b')
})

it.each([[undefined], [1], [null], [''], ['\u200b']])('%j is no text', (value) => {
  expect(textField(value, 10)).toBeUndefined()
})

it('leaves data as it is, but for escape sequences', () => {
  expect(dataText('a\u001b[31mb\u200b\r\n')).toBe('ab\u200b\r\n')
})
