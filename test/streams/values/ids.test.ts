// Tests the generator of random ids.
import { Value } from '@sinclair/typebox/value'
import { describe, expect, it } from 'vitest'
import { RequestId, SessionId, ShortId, randomIds } from '../../../lib/streams/values/identifiers.ts'

describe('randomIds', () => {
  it.each([
    ['session', SessionId],
    ['short', ShortId],
    ['request', RequestId],
  ] as const)('draws a %s id that fits its pattern, a different one each time [S5b, MESSAGE-ids]', (kind, schema) => {
    const ids = randomIds()
    const drawn = Array.from({ length: 500 }, () => ids[kind]())
    expect(drawn.every((id) => Value.Check(schema, id))).toBe(true)
    expect(new Set(drawn).size).toBe(500)
  })

  it('uses every character about equally often [S5b]', () => {
    const ids = randomIds()
    const counts = new Map<string, number>()
    for (let round = 0; round < 1_000; round++) {
      for (const character of ids.request()) counts.set(character, (counts.get(character) ?? 0) + 1)
    }
    expect(counts.size).toBe(32)
    // 812 of each are expected; ten standard deviations are 280
    for (const count of counts.values()) expect(Math.abs(count - 812)).toBeLessThan(280)
  })

  it('starts with different ids in two processes', () => {
    expect(randomIds().session()).not.toBe(randomIds().session())
  })
})
