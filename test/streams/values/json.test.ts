// Tests the type guards for JSON values and their canonical text.
import { expect, it } from 'vitest'
import { canonicalJson, isRecord } from '../../../lib/streams/values/json.ts'

it.each<[unknown, boolean]>([
  [{}, true],
  [{ length: 1 }, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [undefined, false],
  ['text', false],
  [1, false],
])('%j: %s', (value, is) => {
  expect(isRecord(value)).toBe(is)
})

it('writes equal values alike, whatever the order of their keys', () => {
  const text = canonicalJson({ b: [{ d: 1, c: null }], a: 'x', 2: true })
  expect(text).toBe('{"2":true,"a":"x","b":[{"c":null,"d":1}]}')
  expect(canonicalJson({ 2: true, a: 'x', b: [{ c: null, d: 1 }] })).toBe(text)
})
