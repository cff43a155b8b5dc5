// Rewrites keywords of older JSON Schema drafts and of OpenAPI in one schema to draft 2020-12.
import { isSchema, typesOf, without } from './json-schema.ts'
import type { JsonSchema } from './json-schema.ts'

/** Returns the schema itself if it has no such keyword. */
export function modernSchema(schema: JsonSchema): JsonSchema {
  return [tuple, closedTuple, exclusiveBound('Minimum'), exclusiveBound('Maximum'), nullable].reduce(
    (modern, rewrite) => rewrite(modern),
    schema,
  )
}

/** `items: […]` and `additionalItems` become `prefixItems` and `items`. */
function tuple(schema: JsonSchema): JsonSchema {
  const { items, additionalItems } = schema
  if (!Array.isArray(items)) return 'additionalItems' in schema ? without(schema, 'additionalItems') : schema
  const rest = additionalItems === undefined ? {} : { items: additionalItems }
  return { ...without(schema, 'items', 'additionalItems'), prefixItems: items, ...rest }
}

/** `items: false` after a tuple becomes its length: the APIs want a schema. */
function closedTuple(schema: JsonSchema): JsonSchema {
  const { items, prefixItems, maxItems } = schema
  if (items !== false) return schema
  const length = Array.isArray(prefixItems) ? prefixItems.length : 0
  return { ...schema, items: {}, maxItems: typeof maxItems === 'number' ? Math.min(maxItems, length) : length }
}

/** `exclusiveMinimum: true` beside `minimum: n` becomes `exclusiveMinimum: n`. */
function exclusiveBound(bound: 'Minimum' | 'Maximum'): (schema: JsonSchema) => JsonSchema {
  const [exclusive, inclusive] = [`exclusive${bound}`, bound.toLowerCase()]
  return (schema) => {
    const isExclusive = schema[exclusive]
    if (typeof isExclusive !== 'boolean') return schema
    const limit = schema[inclusive]
    if (!isExclusive || typeof limit !== 'number') return without(schema, exclusive)
    return { ...without(schema, inclusive), [exclusive]: limit }
  }
}

/** `nullable: true` adds the type `null`, and the value to `enum`. */
function nullable(schema: JsonSchema): JsonSchema {
  if (typeof schema['nullable'] !== 'boolean') return schema
  const plain = without(schema, 'nullable')
  const types = typesOf(schema)
  if (!schema['nullable'] || types.length === 0 || types.includes('null')) return plain
  const values: unknown = schema['enum']
  return {
    ...plain,
    type: [...types, 'null'],
    ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}),
  }
}

/** True if the schema has parts at a place where APIs want an object with properties. */
export function isObjectSchema(schema: JsonSchema): boolean {
  return typesOf(schema).includes('object') || (typesOf(schema).length === 0 && isSchema(schema['properties']))
}
