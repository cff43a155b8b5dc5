// Tests `IdFilter`: no id is missed, and few others match.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IdFilter } from '../../../lib/session/recovery/id-filter.ts'

describe('IdFilter', () => {
  it('contains every added id, also as text and after an addition', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (names, more) => {
        const set = IdFilter.fromText(IdFilter.of(names).toText()).with(more)
        expect(set.size).toBe(names.length + more.length)
        expect([...names, ...more].every((name) => set.mayHave(name))).toBe(true)
      }),
    )
  })

  it('contains almost no other id', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `name ${index}`)
    const set = IdFilter.of(names)
    expect(names.filter((name) => set.mayHave(`another ${name}`)).length).toBeLessThan(3)
    expect(IdFilter.of([]).mayHave('')).toBe(false)
  })
})
