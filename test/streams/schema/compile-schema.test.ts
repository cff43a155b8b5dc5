// Tests the compiler of JSON schemas and the text of its problems.
import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { compileSchema } from '../../../lib/streams/schema/compile-schema.ts'

const schema = Type.Object(
  {
    path: Type.String({ minLength: 1 }),
    lines: Type.Optional(Type.Integer({ minimum: 1 })),
    mode: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
    edits: Type.Optional(Type.Array(Type.Object({ from: Type.String() }))),
  },
  { additionalProperties: false },
)

describe('compileSchema', () => {
  it('has no problem for a valid value', () => {
    expect(compileSchema(schema)({ path: 'a', lines: 3, edits: [{ from: 'x' }] })).toEqual([])
  })

  it('lists every problem with its path', () => {
    expect(compileSchema(schema)({ path: '', lines: 0.5, edits: [{ from: 1 }, {}], extra: true })).toEqual([
      { path: '', reason: 'has the unknown field "extra"' },
      { path: '/path', reason: 'must not be empty' },
      { path: '/lines', reason: 'must be a whole number' },
      { path: '/lines', reason: 'must be at least 1' },
      { path: '/edits/0/from', reason: 'must be text' },
      { path: '/edits/1', reason: 'needs the field "from"' },
    ])
  })

  it('reports a wrong type of the whole value', () => {
    expect(compileSchema(schema)('path=a')).toEqual([{ path: '', reason: 'must be an object' }])
  })

  it('ignores unknown keywords and formats', () => {
    const foreign = {
      type: 'object',
      properties: { a: { type: 'string', format: 'uri', 'x-note': 1 } },
    } as unknown as TSchema
    expect(compileSchema(foreign)({ a: 'not a uri' })).toEqual([])
  })

  it.each([
    'https://json-schema.org/draft/2020-12/schema',
    'https://json-schema.org/draft/2019-09/schema',
    'http://json-schema.org/draft-07/schema#',
    'https://nowhere.example/schema',
  ])('accepts a schema of any declared draft: %s', ($schema) => {
    const drafted = { ...schema, $schema }
    expect(compileSchema(drafted)({ path: 'a' })).toEqual([])
    expect(compileSchema(drafted)({ path: 1 })).toEqual([{ path: '/path', reason: 'must be text' }])
    expect(drafted.$schema).toBe($schema)
  })

  it('lists the allowed values if a value is not one of them', () => {
    const chosen = { enum: ['a', 1, null] }
    const foreign = { type: 'object', properties: { kind: { const: 'file' }, chosen } } as unknown as TSchema
    expect(compileSchema(foreign)({ kind: 'folder', chosen: 'b' })).toEqual([
      { path: '/kind', reason: 'must be "file"' },
      { path: '/chosen', reason: 'must be one of a, 1, null' },
    ])
  })

  it('compiles once, on the first call', () => {
    let reads = 0
    const counted = new Proxy(schema, {
      get: (target, key) => {
        reads += 1
        return Reflect.get(target, key) as unknown
      },
    })
    const first = compileSchema(counted)
    const second = compileSchema(counted)
    expect(reads).toBe(0)
    first({})
    const afterFirst = reads
    expect(afterFirst).toBeGreaterThan(0)
    second({ path: 'a' })
    first({ path: 'a' })
    expect(reads).toBe(afterFirst)
  })

  it('keeps schemas with the same $id apart', () => {
    const text = Type.Object({ a: Type.String() }, { $id: 'Same' })
    const count = Type.Object({ a: Type.Number() }, { $id: 'Same' })
    expect([compileSchema(text)({ a: 'x' }), compileSchema(count)({ a: 1 })]).toEqual([[], []])
  })

  it('throws at the call if the schema itself is invalid', () => {
    const broken = { type: 'object', required: 'path' } as unknown as TSchema
    const validate = compileSchema(broken)
    expect(() => validate({})).toThrow(/schema is not valid/)
  })
})
