// Tests the type guards for JSON values.
import { expect, it } from 'vitest'
import { isRecord } from '../../../lib/streams/values/json.ts'

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
