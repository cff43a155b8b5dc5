// Tests that the call ids of a history become valid and distinct, with matching results.
import { expect, it } from 'vitest'
import { createCallIdNames } from '../../../lib/providers/adapter/call-ids.ts'

it('returns a unique valid id unchanged', () => {
  const names = createCallIdNames(64)
  expect([names.call('call_1'), names.result('call_1')]).toEqual(['call_1', 'call_1'])
})

it('renames a repeated id, and its results in the same order', () => {
  const names = createCallIdNames(64)
  expect([names.call('c'), names.call('c')]).toEqual(['c', 'c_2'])
  expect([names.result('c'), names.result('c')]).toEqual(['c', 'c_2'])
  expect([names.call('c_2'), names.result('c_2')]).toEqual(['c_2_2', 'c_2_2'])
})

it('keeps ids distinct that are equal after truncation', () => {
  const names = createCallIdNames(12)
  const [one, other] = [names.call(`${'x'.repeat(20)}1`), names.call(`${'x'.repeat(20)}2`)]
  expect(one).not.toBe(other)
  for (const name of [one, other]) expect(name).toMatch(/^[\w-]{1,12}$/)
})

it('returns equal ids for equal histories', () => {
  const namesOf = (): string[] => {
    const names = createCallIdNames(20)
    return ['a|b', 'a|b', '', 'c'].map((id) => names.call(id))
  }
  expect(namesOf()).toEqual(namesOf())
})
