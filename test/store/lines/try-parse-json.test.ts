// Tests the JSON parser for lines.
import { expect, it } from 'vitest'
import { tryParseJson } from '../../../lib/store/lines/parse-line.ts'

it.each<[string, unknown]>([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  ['', undefined],
  ['{"a":', undefined],
  ['{} {}', undefined],
])('%j contains %j', (text, value) => {
  expect(tryParseJson(text)).toEqual(value)
})

it('reads bytes, too', () => {
  expect(tryParseJson(Buffer.from('"é"'))).toBe('é')
})
