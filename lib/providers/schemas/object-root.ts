// Makes the root of a schema a plain object: the APIs take no alternatives and no reference there.
import { isSchema, mapIn, noteOf, requiredOf, typesOf, withNotes, without } from './json-schema.ts'
import type { JsonSchema } from './json-schema.ts'
import { repairSchema } from './repair-schema.ts'

const combining = ['allOf', 'anyOf', 'oneOf'] as const
/** OpenAI refuses these at the root too. */
const refused = ['enum', 'const', 'not', '$ref'] as const

/**
 * Returns a schema of the type `object` with `properties`. Those of alternatives become optional properties of the
 * root; the description says what is lost. Returns the schema itself if its root is such an object.
 * @param schema repaired by `repairSchema`
 */
export function objectRoot(schema: JsonSchema): JsonSchema {
  const isPlain = [...combining, ...refused].every((name) => !(name in schema))
  const root = isPlain ? schema : repairSchema(flattened(schema)) // leaves out definitions that nothing names any more
  return root['type'] === 'object' && 'properties' in root
    ? root
    : withNotes(
        { ...root, type: 'object', properties: mapIn(root, 'properties') },
        typesOf(root).length > 0 && !typesOf(root).includes('object') ? [noteOf('type', root['type'])] : [],
      )
}

function flattened(schema: JsonSchema): JsonSchema {
  const parts = partsOf(schema, mapIn(schema, '$defs'), new Set())
  const notes = [...combining, 'enum', 'const', 'not'].flatMap((name) =>
    name in schema ? [noteOf(name, withoutProperties(schema[name]))] : [],
  )
  const properties = joined(parts.map((part) => mapIn(part.schema, 'properties')))
  const required = new Set(parts.flatMap((part) => (part.isCertain ? requiredOf(part.schema) : [])))
  for (const name of alternativesOf(schema)) required.add(name)
  const own = without(schema, ...combining, ...refused, 'properties', 'required')
  return withNotes(
    { ...own, type: 'object', properties, ...(required.size > 0 ? { required: [...required] } : {}) },
    notes,
  )
}

interface Part {
  readonly schema: JsonSchema
  /** True if each value has to fit it. */
  readonly isCertain: boolean
}

/** The schema, and those that it combines or refers to. */
function partsOf(schema: JsonSchema, definitions: JsonSchema, visited: Set<JsonSchema>, isCertain = true): Part[] {
  if (visited.has(schema)) return []
  visited.add(schema)
  const target = definitionOf(schema, definitions)
  return [
    { schema, isCertain },
    ...(target === undefined ? [] : partsOf(target, definitions, visited, isCertain)),
    ...combining.flatMap((name) =>
      branchesOf(schema, name).flatMap((each) => partsOf(each, definitions, visited, isCertain && name === 'allOf')),
    ),
  ]
}

function definitionOf({ $ref }: JsonSchema, definitions: JsonSchema): JsonSchema | undefined {
  if (typeof $ref !== 'string') return undefined
  const target = mapIn(definitions, $ref.replace('#/$defs/', ''))
  return Object.keys(target).length === 0 ? undefined : target
}

function branchesOf(schema: JsonSchema, name: string): readonly JsonSchema[] {
  const value = schema[name]
  return Array.isArray(value) ? value.filter(isSchema) : []
}

/** The names that every alternative of the root requires. */
function alternativesOf(schema: JsonSchema): readonly string[] {
  return (['anyOf', 'oneOf'] as const).flatMap((name) => {
    const [first, ...others] = branchesOf(schema, name).map(requiredOf)
    return first?.filter((each) => others.every((names) => names.includes(each))) ?? []
  })
}

/** A property with several schemas may have any of them. */
function joined(maps: readonly JsonSchema[]): JsonSchema {
  const schemas = new Map<string, unknown[]>()
  for (const [name, schema] of maps.flatMap((map) => Object.entries(map))) {
    const known = schemas.get(name) ?? []
    if (!known.some((each) => JSON.stringify(each) === JSON.stringify(schema))) known.push(schema)
    schemas.set(name, known)
  }
  return Object.fromEntries(
    Array.from(schemas, ([name, found]) => [name, found.length === 1 ? found[0] : { anyOf: found }]),
  )
}

/** The properties are in the root already. */
function withoutProperties(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProperties)
  return isSchema(value) ? without(value, 'properties', 'type', 'description') : value
}
