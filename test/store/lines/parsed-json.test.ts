import { expect, it } from 'vitest'
import { parsedJson } from '../../../lib/store/lines/parse-line.ts'

it.each<[string, unknown]>([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  ['', undefined],
  ['{"a":', undefined],
  ['{} {}', undefined],
])('%j holds %j', (text, value) => {
  expect(parsedJson(text)).toEqual(value)
})

it('reads bytes, too', () => {
  expect(parsedJson(Buffer.from('"é"'))).toBe('é')
})
