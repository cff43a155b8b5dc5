// Tests JSON that is nested deeper than the stack.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isDeeperThan, jsonText } from '../../../lib/streams/values/json.ts'
import { sampleSize } from '../../support/sample-size.ts'

const nested = (levels: number): unknown => JSON.parse(`${'[{"a":1,"b":'.repeat(levels)}"é"${'}]'.repeat(levels)}`)

it('writes the text of a value at any depth', () => {
  const text = JSON.stringify(nested(10))
  expect(jsonText(nested(10))).toBe(text)
  expect(jsonText(nested(50_000))).toBe(`${'[{"a":1,"b":'.repeat(50_000)}"é"${'}]'.repeat(50_000)}`)
})

it('writes any value as JSON.stringify does', () => {
  const deep = nested(20_000)
  const text = jsonText(deep)
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(jsonText([deep, value])).toBe(`[${text},${JSON.stringify(value)}]`)
    }),
    { numRuns: sampleSize(6, 20) },
  )
})

it.each([
  [1, 0, false],
  [[], 1, false],
  [[[]], 0, true],
  [{ a: [1] }, 1, false],
  [{ a: [[1]] }, 1, true],
  [nested(20_000), 1_000, true],
])('measures the depth of a value: case %#', (value, limit, isDeeper) => {
  expect(isDeeperThan(value, limit)).toBe(isDeeper)
})

it('measures a cycle', () => {
  const cycle: unknown[] = []
  cycle.push(cycle)
  expect(isDeeperThan(cycle, 1_000)).toBe(true)
})
