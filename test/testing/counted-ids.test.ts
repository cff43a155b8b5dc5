// Tests the deterministic id generator.
import { describe, expect, it } from 'vitest'
import { Value } from '@sinclair/typebox/value'
import { RequestId, SessionId, ShortId } from '../../lib/streams/values/identifiers.ts'
import { countedIds } from '../../lib/testing/counted-ids.ts'

describe('countedIds', () => {
  it('counts the same way each time', () => {
    const ids = countedIds()
    expect([ids.short(), ids.short(), ids.session(), ids.request()]).toEqual([
      'aaaaaaab',
      'aaaaaaac',
      'aaaaaaaaaaad',
      'aaaaaaaaaaaaaaaaaaaaaaaaae',
    ])
    expect(countedIds().short()).toBe('aaaaaaab')
  })

  it('returns ids that fit their patterns, each only once', () => {
    const ids = countedIds()
    const many = Array.from({ length: 2_000 }, () => ids.short())
    expect(new Set(many).size).toBe(2_000)
    expect(many.every((id) => Value.Check(ShortId, id))).toBe(true)
    expect(Value.Check(SessionId, ids.session())).toBe(true)
    expect(Value.Check(RequestId, ids.request())).toBe(true)
  })
})
