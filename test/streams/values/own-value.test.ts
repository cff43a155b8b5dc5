import { expect, it } from 'vitest'
import { ownValue } from '../../../lib/streams/values/own-value.ts'

it.each([
  ['a', 1],
  ['b', undefined],
  ['constructor', undefined],
  ['__proto__', undefined],
  [undefined, undefined],
])('of %s is %s', (name, value) => {
  expect(ownValue({ a: 1 }, name)).toBe(value)
})

it('is found under any name that the record has itself', () => {
  expect(ownValue({ constructor: 2 }, 'constructor')).toBe(2)
})
