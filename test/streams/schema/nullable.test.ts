// Tests the schema helper that adds null to a type.
import { Type } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { nullable } from '../../../lib/streams/schema/schema-helpers.ts'

const schema = nullable(Type.String({ pattern: '^a+$' }))
const fits = new Ajv({ strict: true, allowUnionTypes: true }).compile(JSON.parse(JSON.stringify(schema)) as object)

describe('nullable', () => {
  it.each([
    [null, true],
    ['aa', true],
    ['b', false],
    ['', false],
    [0, false],
    [undefined, false],
  ])('of %j is %j: null is valid, and other values keep their limits', (value, expected) => {
    expect(fits(value)).toBe(expected)
  })

  it('has the type of both', () => {
    expectTypeOf(schema.static).toEqualTypeOf<string | null>()
  })
})
