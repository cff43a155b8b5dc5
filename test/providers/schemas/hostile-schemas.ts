// Schemas of tools as people, generators and attackers write them, each with arguments that it accepts.

type Fields = Readonly<Record<string, unknown>>

export interface HostileSchema {
  readonly name: string
  readonly schema: Fields
  /** Arguments that the schema accepts: what is sent accepts them too. */
  readonly accepts?: readonly Fields[]
}

const object = (properties: Fields, more: Fields = {}): Fields => ({ type: 'object', properties, ...more })
const text = { type: 'string' }

function nested(levels: number): Fields {
  let schema: Fields = text
  for (let level = 0; level < levels; level += 1) schema = object({ in: schema })
  return schema
}

function shared(levels: number): Fields {
  let schema: Fields = text
  for (let level = 0; level < levels; level += 1) schema = object({ a: schema, b: schema })
  return schema
}

const own: Record<string, unknown> = { type: 'object' }
own['properties'] = { self: own }

const tree = object(
  { children: { type: 'array', items: { $ref: '#/$defs/tree' } }, left: { $ref: '#/$defs/tree' } },
  { required: ['left'] },
)

const table: Readonly<Record<string, readonly [schema: Fields, ...accepts: Fields[]]>> = {
  'no properties': [{ type: 'object' }, {}, { a: 1 }],
  'no type': [{ properties: { a: text } }, { a: 'x' }],
  'an empty schema': [{}, {}],
  'alternatives of what is required': [
    object({ a: text, b: text }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    { a: 'x' },
    { b: 'x' },
  ],
  'alternatives at the root': [
    {
      oneOf: [
        object({ kind: { const: 'a' }, x: text }, { required: ['kind', 'x'] }),
        object({ kind: { const: 'b' }, x: { type: 'number' } }, { required: ['kind'] }),
      ],
    },
    { kind: 'a', x: 'x' },
    { kind: 'b', x: 1 },
  ],
  'allOf at the root': [
    { allOf: [object({ a: text }, { required: ['a'] }), object({ b: { type: 'integer' } }, { required: ['b'] })] },
    { a: 'x', b: 1 },
  ],
  'a reference at the root': [
    { $ref: '#/$defs/args', $defs: { args: object({ a: text }, { required: ['a'] }) } },
    { a: 'x' },
  ],
  'not and enum at the root': [
    { type: 'object', properties: { a: text }, not: { required: ['b'] }, enum: [{ a: 'x' }] },
    { a: 'x' },
  ],
  'if at the root': [
    object({ a: text, b: text }, { if: { required: ['a'] }, then: { required: ['b'] } }),
    { a: 'x', b: 'y' },
  ],
  'the root is a text': [{ type: 'string' }],
  'the root may be null': [{ type: ['object', 'null'], properties: { a: text } }, { a: 'x' }],
  'an array without items': [
    object({ a: { type: 'array' }, b: { type: ['array', 'string'] } }),
    { a: [1, 'x'], b: 'x' },
  ],
  'a tuple of draft 7': [
    object({ a: { type: 'array', items: [text, { type: 'number' }], additionalItems: false } }),
    { a: ['x', 1] },
  ],
  'a tuple of draft 2020-12': [
    object({ a: { type: 'array', prefixItems: [text, text], items: false } }),
    { a: ['x', 'y'] },
  ],
  'exclusive bounds of draft 4': [
    object({ a: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false } }),
    { a: 9 },
  ],
  'required of draft 3': [object({ a: { type: 'string', required: true } }, { required: 'a' }), { a: 'x' }],
  'nullable of OpenAPI': [object({ a: { type: 'string', nullable: true, enum: ['x'] } }), { a: null }, { a: 'x' }],
  'definitions of draft 7': [
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'https://example.com/a',
      ...object({ a: { $ref: '#/definitions/A', description: 'An A.' } }),
      definitions: { A: object({ b: { $ref: '#/definitions/B' } }), B: text },
    },
    { a: { b: 'x' } },
  ],
  'a reference to a property': [object({ a: object({ b: text }), c: { $ref: '#/properties/a' } }), { c: { b: 'x' } }],
  'a reference to a name with slashes': [
    { ...object({ a: { $ref: '#/$defs/a~1b%20c' } }), $defs: { 'a/b c': text } },
    { a: 'x' },
  ],
  'a reference that names nothing': [object({ a: { $ref: '#/$defs/gone' } }), { a: 1 }],
  'a reference elsewhere': [object({ a: { $ref: 'https://example.com/schema.json' } }), { a: 1 }],
  'a reference to itself': [
    { ...object({ a: { $ref: '#/$defs/a' } }), $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    { a: 1 },
  ],
  'a tree': [{ ...object({ root: { $ref: '#/$defs/tree' } }, { required: ['root'] }), $defs: { tree } }],
  'the root refers to itself': [object({ a: text, next: { $ref: '#' } }), { a: 'x', next: { next: {} } }],
  'nested definitions': [object({ a: { $defs: { b: text }, $ref: '#/properties/a/$defs/b' } }), { a: 'x' }],
  'dynamic references': [object({ a: { $dynamicRef: '#node' } }, { $dynamicAnchor: 'node' }), { a: {} }],
  'schemas that are true and false': [
    object({ a: true, b: false, c: { type: 'array', items: true } }),
    { a: 1, c: [1] },
  ],
  'additional properties as a schema': [
    object({ a: { type: 'object', additionalProperties: text } }),
    { a: { b: 'x' } },
  ],
  'names that no API takes': [
    object(
      { 'a b': text, ok: text, ä: { type: 'number' }, ['x'.repeat(65)]: text },
      { required: ['a b', 'ok'], additionalProperties: false },
    ),
    { 'a b': 'x', ok: 'y' },
  ],
  'names of prototypes': [
    JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"array"},"constructor":{"type":"string"}},"required":["__proto__","constructor"]}',
    ) as Fields,
    JSON.parse('{"__proto__":[1],"constructor":"x"}') as Fields,
  ],
  'values of enum that no API takes': [
    object({
      a: { enum: ['x', 1, null, true] },
      b: { type: 'string', enum: ['x', 5, 'x'] },
      c: { enum: [] },
      d: { type: 'string', enum: [1] },
    }),
    { a: 'x', b: 'x', c: 1, d: 'y' },
  ],
  constants: [
    object({ a: { const: 'x' }, b: { const: true }, c: { const: null }, d: { const: { e: 1 } } }),
    { a: 'x', b: true, c: null, d: { e: 1 } },
  ],
  'keywords of a wrong kind': [
    object({
      a: { type: 'any', minLength: -1, pattern: '(', format: 1, title: {}, minimum: '0', anyOf: [], properties: [] },
      b: 'string',
      c: null,
      d: [],
    }),
    { a: 1, b: 2, c: 3, d: 4 },
  ],
  'types that do not exist': [
    object({ a: { type: ['int', 'string', 'string'] }, b: { type: [] }, c: { type: 'None' } }),
    { a: 'x', b: 1, c: 2 },
  ],
  'every constraint': [
    object(
      {
        a: { type: 'string', minLength: 1, maxLength: 9, pattern: '^(?!x)', format: 'email' },
        b: { type: 'array', items: text, uniqueItems: true, contains: text, minContains: 1 },
        c: {
          type: 'object',
          patternProperties: { '^x': text, '(': text },
          propertyNames: { maxLength: 3 },
          minProperties: 1,
        },
        d: { type: 'number', multipleOf: 2, exclusiveMinimum: 1 },
      },
      { dependentRequired: { a: ['b'] }, unevaluatedProperties: false },
    ),
    { a: 'a@b.c', b: ['x'], c: { x: 'y' }, d: 4 },
  ],
  'combinations within': [
    object(
      {
        a: { allOf: [{ $ref: '#/$defs/A' }] },
        b: { allOf: [object({ x: text }), object({ y: text })] },
        c: { oneOf: [text, { type: 'null' }] },
        d: { not: text },
      },
      { $defs: { A: text } },
    ),
    { a: 'x', b: { x: 'x', y: 'y' }, c: null, d: 1 },
  ],
  'a deep schema': [nested(200)],
  'an object that is its own part': [own],
  'objects that are shared': [shared(40)],
  'many values': [
    object({ a: { type: 'string', enum: Array.from({ length: 2_000 }, (_, index) => `v${index}`) } }),
    { a: 'v1999' },
  ],
  'many properties': [
    object(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`p${index}`, text]))),
    { p1: 'x' },
  ],
  'half a character': [
    object({ a: { type: 'string', description: 'x\uD800y' } }, { not: { const: 'y\uDC00' } }),
    { a: 'x' },
  ],
  'a long constraint': [object({ a: { not: { const: 'x'.repeat(50_000) } } }), { a: 'y' }],
}

export const hostileSchemas: readonly HostileSchema[] = Object.entries(table).map(([name, [schema, ...accepts]]) => ({
  name,
  schema,
  accepts,
}))
