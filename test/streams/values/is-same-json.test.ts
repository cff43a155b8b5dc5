// Tests the comparison of JSON values.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSameJson } from '../../../lib/streams/values/json.ts'

describe('isSameJson', () => {
  it.each([
    [{ a: 1, b: [2, { c: null }] }, { b: [2, { c: null }], a: 1 }, true],
    [{ a: undefined }, {}, true],
    [{}, { a: null }, false],
    [[], {}, false],
    [{ 0: 'a', length: 1 }, ['a'], false],
    [[1, 2], [2, 1], false],
    [null, {}, false],
    ['1', 1, false],
    [JSON.parse('{"__proto__":1}'), {}, false],
  ])('%j and %j: %s', (left, right, same) => {
    expect([isSameJson(left, right), isSameJson(right, left)]).toEqual([same, same])
  })

  it('compares values of any JSON nesting depth', () => {
    const nested = (end: number): unknown => JSON.parse(`${'{"a":['.repeat(2_000)}${end}${']}'.repeat(2_000)}`)
    expect(() => JSON.stringify(nested(1))).not.toThrow()
    expect([isSameJson(nested(1), nested(1)), isSameJson(nested(1), nested(2))]).toEqual([true, false])
  })

  it('is true exactly for a value and the parse of its JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        const [one, other] = [JSON.stringify(left), JSON.stringify(right)]
        return (
          isSameJson(JSON.parse(one), JSON.parse(one)) &&
          (one === other || !isSameJson(JSON.parse(one), JSON.parse(other)) || sorted(one) === sorted(other))
        )
      }),
    )
  })
})

/** With every object's keys in order. */
function sorted(json: string): string {
  return JSON.stringify(
    JSON.parse(json, (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
        : value,
    ),
  )
}
