// Tests the lookup of a record's own properties.
import { expect, it } from 'vitest'
import { getOwn } from '../../../lib/streams/values/json.ts'

it.each([
  ['a', 1],
  ['b', undefined],
  ['constructor', undefined],
  ['__proto__', undefined],
  [undefined, undefined],
])('of %s is %s', (name, value) => {
  expect(getOwn({ a: 1 }, name)).toBe(value)
})

it('is found under any own name of the record', () => {
  expect(getOwn({ constructor: 2 }, 'constructor')).toBe(2)
})
