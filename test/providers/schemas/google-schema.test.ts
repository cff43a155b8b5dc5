// Tests the conversion of a tool's schema to the form that Google accepts.
import { Type } from '@sinclair/typebox'
import { expect, it } from 'vitest'
import { googleSchema } from '../../../lib/providers/schemas/google-schema.ts'

it('returns a supported schema unchanged', () => {
  const schema = Type.Object({
    path: Type.String({ description: 'Where.' }),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
    kinds: Type.Array(Type.Union([Type.Literal('a'), Type.Literal('b')]), { minItems: 1 }),
    type: Type.Object({ items: Type.Boolean() }, { additionalProperties: false }),
  })
  expect(googleSchema(schema)).toEqual({
    type: 'object',
    required: ['path', 'kinds', 'type'],
    properties: {
      path: { type: 'string', description: 'Where.' },
      count: { type: 'integer', minimum: 1, maximum: 9 },
      kinds: {
        type: 'array',
        minItems: 1,
        items: {
          anyOf: [
            { type: 'string', enum: ['a'] },
            { type: 'string', enum: ['b'] },
          ],
        },
      },
      type: {
        type: 'object',
        required: ['items'],
        properties: { items: { type: 'boolean' } },
        additionalProperties: false,
      },
    },
  })
})

it('moves unsupported keywords into the description at their place', () => {
  const schema = Type.Object({
    name: Type.String({ pattern: '^a+$', maxLength: 3, description: 'A name.', default: 'a' }),
    map: Type.Record(Type.String(), Type.Number({ multipleOf: 2 })),
  })
  expect(googleSchema(schema)).toMatchObject({
    properties: {
      name: { type: 'string', description: 'A name. (pattern: "^a+$"; maxLength: 3)' },
      map: { type: 'object', description: expect.stringContaining('patternProperties: {"^(.*)$"') as string },
    },
  })
})

it.each([[undefined], [null], ['text'], [[]]])('converts %j to an empty schema', (value) => {
  expect(googleSchema(value)).toEqual({})
})

it('does not change its input', () => {
  const schema = Object.freeze({ type: 'object', properties: Object.freeze({ a: Object.freeze({ const: 1 }) }) })
  expect(googleSchema(schema)).toEqual({ type: 'object', properties: { a: { enum: [1] } } })
})
