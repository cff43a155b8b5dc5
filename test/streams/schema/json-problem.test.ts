import { describe, expect, it } from 'vitest'
import { jsonProblem } from '../../../lib/streams/schema/json-problem.ts'

const circle: Record<string, unknown> = {}
circle['self'] = circle

describe('jsonProblem', () => {
  it.each([[{ a: [1, null, 'x'] }], [undefined], [{ left: undefined }]])('finds none in %j', (value) => {
    expect(jsonProblem(value)).toBeUndefined()
  })

  it.each<[string, unknown]>([
    ['a BigInt', { a: 1n }],
    ['a circle', circle],
    ['a conversion that throws', { toJSON: () => JSON.stringify(circle) }],
  ])('says in one line what is wrong with %s', (_, value) => {
    expect(jsonProblem(value)).toMatch(/^it is not JSON \(.+\)$/)
  })
})
