// Tests the conversion of one call id to the form that an API accepts.
import { describe, expect, it } from 'vitest'
import { exactCallId, normaliseCallId } from '../../../lib/providers/adapter/call-ids.ts'

it.each(['call_1', 'toolu_01-Ab', 'a'.repeat(40)])('returns %s unchanged', (id) => {
  expect(normaliseCallId(id, 40)).toBe(id)
})

it.each(['', 'call 1', 'call_a|fc_b', 'é', 'x'.repeat(41), 'functions.read:0'])('makes a valid id of "%s"', (id) => {
  const normalised = normaliseCallId(id, 40)
  expect(normalised).toMatch(/^[\w-]{1,40}$/)
  expect(normaliseCallId(id, 40)).toBe(normalised)
})

it('keeps ids distinct that differ only in replaced or truncated characters', () => {
  const ids = ['a b', 'a|b', 'a_b', `${'x'.repeat(60)}1`, `${'x'.repeat(60)}2`]
  expect(new Set(ids.map((id) => normaliseCallId(id, 40))).size).toBe(ids.length)
})

describe('an id of an exact length', () => {
  it.each([['abcDEF123'], ['000000000']])('is %s unchanged if it fits', (id) => {
    expect(exactCallId(id, 9)).toBe(id)
  })

  it('is derived from any other id, deterministic and distinct', () => {
    const ids = ['', 'call_1', 'call_2', 'abcDEF12', 'abcDEF12-', 'ä'.repeat(500)]
    const made = ids.map((id) => exactCallId(id, 9))
    for (const id of made) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(new Set(made).size).toBe(ids.length)
    expect(ids.map((id) => exactCallId(id, 9))).toEqual(made)
  })
})
