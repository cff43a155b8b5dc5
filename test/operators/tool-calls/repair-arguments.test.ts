// Tests `repairArguments`, which repairs tool arguments by the tool's schema.
import { Type } from '@sinclair/typebox'
import type { TObject, TSchema } from '@sinclair/typebox'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSchema } from '../../../lib/streams/schema/compile-schema.ts'
import { repairArguments } from '../../../lib/operators/tool-calls/repair-arguments.ts'

const edit = Type.Object({ oldText: Type.String(), count: Type.Optional(Type.Integer()) })
const optionalNumber = Type.Optional(Type.Union([Type.Number(), Type.Null()]))
const shapes = Type.Union([
  Type.Object({ kind: Type.Literal('circle'), radius: Type.Number() }),
  Type.Object({ kind: Type.Literal('square'), side: Type.Number() }),
])

function property(schema: TSchema): TObject {
  return Type.Object({ p: schema })
}

describe('repairArguments', () => {
  it.each<[string, TSchema, unknown, unknown]>([
    ['a numeric string for a number', Type.Number(), '1.5', 1.5],
    ['a numeric string for an integer', Type.Integer(), ' 12 ', 12],
    ['an exponent', Type.Number(), '-1e3', -1000],
    ['"true" for a boolean', Type.Boolean(), 'true', true],
    ['"False" for a boolean', Type.Boolean(), 'False', false],
    ['JSON text for an object', edit, '{"oldText":"a","count":"2"}', { oldText: 'a', count: 2 }],
    ['JSON text for an array', Type.Array(edit), '[{"oldText":"a"}]', [{ oldText: 'a' }]],
    ['a scalar for an array', Type.Array(Type.String()), 'a', ['a']],
    ['a numeric string for an array of numbers', Type.Array(Type.Number()), '3', [3]],
    ['an object for an array', Type.Array(edit), { oldText: 'a' }, [{ oldText: 'a' }]],
    ['JSON text of an object for an array', Type.Array(edit), '{"oldText":"a"}', [{ oldText: 'a' }]],
    ['text with a bracket for an array of strings', Type.Array(Type.String()), '[draft', ['[draft']],
    ['elements of an array', Type.Array(Type.Integer()), ['1', 2], [1, 2]],
    ['elements of a tuple', Type.Tuple([Type.Number(), Type.String()]), ['1', '2'], [1, '2']],
    ['values of a record', Type.Record(Type.String(), Type.Number()), { a: '1' }, { a: 1 }],
    ['the branch of a union that fits once repaired', Type.Union([Type.Number(), Type.Boolean()]), 'true', true],
    ['a branch with constants', shapes, { kind: 'square', side: '2' }, { kind: 'square', side: 2 }],
    ['JSON text for a branch', shapes, '{"kind":"circle","radius":1}', { kind: 'circle', radius: 1 }],
    [
      'parts of an intersection',
      Type.Intersect([edit, Type.Object({ n: Type.Number() })]),
      { oldText: 'a', n: '1' },
      { oldText: 'a', n: 1 },
    ],
    ['a schema without a type', Type.Unsafe({ properties: { n: { type: ['number', 'null'] } } }), { n: '1' }, { n: 1 }],
  ])('repairs %s [LOOP-8b]', (_, schema, input, wanted) => {
    expect(repairArguments(property(schema), { p: input })).toEqual({ p: wanted })
  })

  it.each<[string, TSchema, unknown]>([
    ['a string for a string', Type.String(), '12'],
    ['a string in a union that takes strings', Type.Union([Type.Number(), Type.String()]), '12'],
    ['text that is not a number', Type.Number(), '12 apples'],
    ['an empty string for a number', Type.Number(), ''],
    ['Infinity for a number', Type.Number(), '1e999'],
    ['a fraction for an integer', Type.Integer(), '1.5'],
    ['hexadecimal digits', Type.Number(), '0x10'],
    ['"yes" for a boolean', Type.Boolean(), 'yes'],
    ['a number for a string', Type.String(), 12],
    ['text that is not JSON for an object', edit, '{oldText'],
    ['JSON text of an array for an object', edit, '[1]'],
    ['an object for an array of strings', Type.Array(Type.String()), { a: 1 }],
    ['null for a required array', Type.Array(Type.String()), null],
    ['null for an array of texts and nulls', Type.Array(Type.Union([Type.String(), Type.Null()])), null],
    ['null that is allowed', Type.Union([Type.String(), Type.Null()]), null],
    ['anything where anything is allowed', Type.Unknown(), { a: ['1', null] }],
  ])('does not change %s', (_, schema, input) => {
    expect(repairArguments(property(schema), { p: input })).toEqual({ p: input })
  })

  it('gives a missing required property its default, also in nested objects, and leaves an optional one out', () => {
    const scale = Type.Object({
      scale: Type.String({ default: 'css' }),
      depth: Type.Optional(Type.Number({ default: 1 })),
    })
    const list = Type.Object({ of: Type.Array(scale, { default: [{}] }), name: Type.String() })
    expect(repairArguments(scale, {})).toEqual({ scale: 'css' })
    expect(repairArguments(scale, { scale: 'device' })).toEqual({ scale: 'device' })
    expect(repairArguments(list, { of: [{}, { scale: 'a' }] })).toEqual({ of: [{ scale: 'css' }, { scale: 'a' }] })
    expect(repairArguments(list, {})).not.toHaveProperty('name')
  })

  it('gives each call a default of its own', () => {
    const schema = property(Type.Array(Type.String(), { default: ['a'] }))
    const first = repairArguments(schema, {})
    ;(first['p'] as string[]).push('b')
    expect(repairArguments(schema, {})).toEqual({ p: ['a'] })
  })

  it('drops null for an optional property only', () => {
    const schema = Type.Object({ a: Type.Optional(Type.String()), b: Type.String(), c: optionalNumber })
    expect(repairArguments(schema, { a: null, b: null, c: null, d: null })).toEqual({ b: null, c: null, d: null })
  })

  it('drops null in nested objects', () => {
    expect(repairArguments(property(Type.Array(edit)), { p: [{ oldText: 'a', count: null }] })).toEqual({
      p: [{ oldText: 'a' }],
    })
  })

  it('keeps a property named __proto__ a property', () => {
    const input = JSON.parse('{"__proto__": {"polluted": true}, "p": "1"}') as Record<string, unknown>
    const repaired = repairArguments(property(Type.Number()), input)
    expect(Object.keys(repaired)).toEqual(['__proto__', 'p'])
    expect('polluted' in repaired).toBe(false)
  })

  it('shares no object with its input', () => {
    const input = { p: { deep: [{ a: 1 }] } }
    const repaired = repairArguments(property(Type.Unknown()), input)
    expect(repaired).toEqual(input)
    expect(repaired['p']).not.toBe(input.p)
    expect((repaired['p'] as typeof input.p).deep[0]).not.toBe(input.p.deep[0])
  })

  it('never changes its input or valid arguments [LOOP-8c]', () => {
    const schema = Type.Object({
      n: Type.Optional(Type.Number()),
      b: Type.Optional(Type.Boolean()),
      list: Type.Optional(Type.Array(Type.Union([Type.Integer(), Type.String()]))),
      o: Type.Optional(edit),
    })
    const validate = compileSchema(schema)
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('1', 'true', '[1]', '{"oldText":"x"}'))
    const object = fc.record({ n: value, b: value, list: value, o: value }, { requiredKeys: [] })
    fc.assert(
      fc.property(object, (input) => {
        const before = structuredClone(input)
        const repaired = repairArguments(schema, input)
        expect(input).toEqual(before)
        if (validate(input).length === 0) expect(repaired).toEqual(input)
        expect(validate(repaired).length).toBeLessThanOrEqual(validate(input).length)
      }),
      { numRuns: 300 },
    )
  })
})
