// Tests the words for a number of things.
import { expect, it } from 'vitest'
import { countOf } from '../../../lib/streams/values/count-of.ts'

it.each<[number, string]>([
  [0, '0 tools'],
  [1, '1 tool'],
  [2, '2 tools'],
])('%i: %s', (count, text) => {
  expect(countOf(count, 'tool')).toBe(text)
})
