// Tests the description of a value that is not JSON.
import { describe, expect, it } from 'vitest'
import { findJsonProblem } from '../../../lib/streams/values/json.ts'

const circle: Record<string, unknown> = {}
circle['self'] = circle

describe('findJsonProblem', () => {
  it.each([[{ a: [1, null, 'x'] }], [undefined], [{ left: undefined }]])('finds no problem in %j', (value) => {
    expect(findJsonProblem(value)).toBeUndefined()
  })

  it.each<[string, unknown]>([
    ['a BigInt', { a: 1n }],
    ['a circle', circle],
    ['a conversion that throws', { toJSON: () => JSON.stringify(circle) }],
  ])('describes in one line the problem of %s', (_, value) => {
    expect(findJsonProblem(value)).toMatch(/^it is not JSON \(.+\)$/)
  })
})
