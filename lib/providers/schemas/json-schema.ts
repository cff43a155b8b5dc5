// Describes JSON Schema (draft 2020-12) as data: what each keyword holds, helpers for rewriting.

export type JsonSchema = Readonly<Record<string, unknown>>

/** The kind of a keyword's value. A keyword without a kind is a foreign annotation, and stays. */
export type KeywordKind =
  | 'schema'
  | 'schemaOrBoolean'
  | 'list'
  | 'map'
  | 'patternMap'
  | 'text'
  | 'pattern'
  | 'number'
  | 'count'
  | 'flag'
  | 'names'
  | 'dropped'

const keywordsByKind: Readonly<Record<KeywordKind, string>> = {
  schema: 'items contains not if then else propertyNames unevaluatedItems contentSchema',
  schemaOrBoolean: 'additionalProperties unevaluatedProperties',
  list: 'anyOf oneOf allOf prefixItems',
  map: 'properties dependentSchemas $defs',
  patternMap: 'patternProperties',
  text: 'title description format $comment contentEncoding contentMediaType',
  pattern: 'pattern',
  number: 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
  count: 'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains',
  flag: 'uniqueItems deprecated readOnly writeOnly',
  names: 'required',
  // they name a schema or its draft, for references that are rewritten
  dropped: '$schema $id id $anchor $dynamicAnchor $recursiveAnchor $vocabulary',
}

export const keywordKinds: ReadonlyMap<string, KeywordKind> = new Map(
  (Object.keys(keywordsByKind) as KeywordKind[]).flatMap((kind) =>
    keywordsByKind[kind].split(' ').map((name) => [name, kind] as const),
  ),
)

export type TypeName = 'null' | 'boolean' | 'number' | 'integer' | 'string' | 'array' | 'object'

const typeChecks: Readonly<Record<TypeName, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  string: (value) => typeof value === 'string',
  array: (value) => Array.isArray(value),
  object: isSchema,
}

export function isTypeName(value: unknown): value is TypeName {
  return typeof value === 'string' && Object.hasOwn(typeChecks, value)
}

/** The types that a schema names; none if it names no type. */
export function typesOf({ type }: JsonSchema): readonly TypeName[] {
  return (Array.isArray(type) ? type : [type]).filter(isTypeName)
}

/** True if the value has one of the types, or there is none to have. */
export function hasType(types: readonly TypeName[], value: unknown): boolean {
  return types.length === 0 || types.some((type) => typeChecks[type](value))
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The property's value if it is an object, else an empty one. */
export function mapIn(schema: JsonSchema, name: string): JsonSchema {
  const value = Object.hasOwn(schema, name) ? schema[name] : undefined
  return isSchema(value) ? value : {}
}

/** The names that `required` lists. */
export function requiredOf({ required }: JsonSchema): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

/** UTF-16 units of the constraints that a description takes up. */
const longestNote = 1_000

/** The schema with the constraints, which it cannot say otherwise, at the end of its description. */
export function withNotes(schema: JsonSchema, notes: readonly string[]): JsonSchema {
  if (notes.length === 0) return schema
  const text = notes.join('; ')
  const cut = text.length <= longestNote ? text : `${text.slice(0, longestNote).toWellFormed()}…`
  const description = typeof schema['description'] === 'string' ? `${schema['description']} ` : ''
  return { ...schema, description: `${description}(${cut})` }
}

/** `keyword: value` for a description. */
export function noteOf(name: string, value: unknown): string {
  return `${name}: ${JSON.stringify(value)}`
}

export function without(schema: JsonSchema, ...names: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)))
}
