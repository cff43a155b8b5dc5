// Tests the check of a value against the member of a union that its tag names.
import { Type } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { beforeAll, describe, expect, it } from 'vitest'
import { taggedUnion } from '../../../lib/streams/schema/schema-helpers.ts'

const circle = Type.Object({ type: Type.Literal('circle'), radius: Type.Number() }, { $id: 'Circle' })
const square = Type.Object({ type: Type.Literal('square'), side: Type.Number() }, { $id: 'Square' })
const shape = taggedUnion<{ type: 'circle'; radius: number }>('type', ['Circle', 'Square'], { $id: 'Shape' })

describe('taggedUnion', () => {
  const ajv = new Ajv({ strict: true, discriminator: true })
  beforeAll(() => {
    ajv.addSchema([circle, square, shape].map((schema) => JSON.parse(JSON.stringify(schema)) as object))
  })

  it.each<[unknown, string | undefined]>([
    [{ type: 'circle', radius: 1 }, undefined],
    [{ type: 'square', side: 1 }, undefined],
    [{ type: 'square', radius: 1 }, "must have required property 'side'"],
    [{ type: 'circle', radius: '1' }, 'must be number'],
    [{ type: 'oval', radius: 1 }, 'value of tag "type" must be in oneOf'],
    [{ radius: 1 }, 'tag "type" must be string'],
    [null, 'must be object'],
    [[], 'must be object'],
  ])('checks %j against the member that its tag names', (value, problem) => {
    expect([ajv.validate('Shape', value), ajv.errors?.map(({ message }) => message)]).toEqual(
      problem === undefined ? [true, undefined] : [false, [problem]],
    )
  })
})
