// Tests the compiling of schemas by the draft that they name.
import { describe, expect, it } from 'vitest'
import { compileDialect } from '../../../lib/streams/schema/compile-dialect.ts'
import type { PatternEngine } from '../../../lib/streams/schema/compile-schema.ts'

const engine: PatternEngine = Object.assign((pattern: string, flags: string) => new RegExp(pattern, flags), {
  code: 'RegExp',
})
const compile = (schema: object) => compileDialect(schema as never, engine)
const reasons = (schema: object, value: unknown) =>
  compile(schema)(value).map(({ path, reason }) => `${path} ${reason}`)

const tuple = {
  type: 'object',
  properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } },
}
const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', ...tuple }

describe('compileDialect', () => {
  it('reads a schema without `$schema` as 2020-12', () => {
    const schema = {
      type: 'object',
      properties: { pair: { prefixItems: [{ type: 'string' }], unevaluatedItems: false } },
      unevaluatedProperties: false,
    }
    expect(reasons(schema, { pair: ['a'] })).toEqual([])
    expect(reasons(schema, { pair: [1], more: 1 })).toEqual(['/pair/0 must be text', ' has the unknown field "more"'])
  })

  it('reads a schema of draft 7 as one', () => {
    expect(reasons(draft7, { pair: ['a', 1] })).toEqual([])
    expect(reasons(draft7, { pair: ['a', 'b'] })).toEqual(['/pair/1 must be a number'])
  })

  it.each([
    ['a form of another draft', tuple, /properties\/pair\/items/],
    ['an unknown type', { type: 'object', properties: { a: { type: 'text' } } }, /properties\/a\/type/],
    [
      'a reference to nothing',
      { type: 'object', properties: { a: { $ref: '#/$defs/none' } } },
      /which it does not define/,
    ],
    ['a remote reference', { type: 'object', properties: { a: { $ref: 'https://example.com/x' } } }, /does not define/],
    ['an invalid pattern', { type: 'object', properties: { a: { pattern: '(' } } }, /regular expression/],
    ['an empty list of values', { type: 'object', properties: { a: { enum: [] } } }, /enum must have non-empty array/],
  ])('refuses %s', (_, schema, reason) => {
    expect(() => compile(schema)).toThrow(reason)
  })

  it('compiles a schema with the same `$id` again', () => {
    const schema = { $id: 'https://example.com/a', type: 'object', required: ['a'] }
    expect(compile(schema)({ a: 1 })).toEqual([])
    expect(compile({ ...schema, required: ['b'] })({ a: 1 })).toHaveLength(1)
  })
})
