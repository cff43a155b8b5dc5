// Repairs a tool's schema to one that the validators of the APIs accept: JSON Schema of draft 2020-12.
// Guarantees: returns the schema itself if it needs no repair; the description names a loosened constraint.
import {
  hasType,
  isSchema,
  isTypeName,
  keywordKinds,
  mapIn,
  noteOf,
  typesOf,
  withNotes,
  without,
} from './json-schema.ts'
import type { JsonSchema, KeywordKind } from './json-schema.ts'
import { modernSchema } from './modern-schema.ts'
import { schemaReferences } from './schema-references.ts'
import type { References } from './schema-references.ts'

/** Levels of a schema; deeper ones allow anything. OpenAI and Google allow fewer in their strict forms. */
const maxDepth = 32
/** Schemas in a schema; further ones allow anything. An object may be its own part, or shared by many. */
const maxSchemas = 2_000

interface Walk {
  readonly references: References
  schemas: number
}

/**
 * Repairs the schema and everything in it: keywords of older drafts and of OpenAPI become those of 2020-12, values of a
 * wrong kind are left out, arrays get `items`, and references name `$defs` of the root. Costs at most `maxSchemas`
 * schemas.
 */
export function repairSchema(root: unknown): JsonSchema {
  if (!isSchema(root)) return {}
  const walk: Walk = { references: schemaReferences(root), schemas: 0 }
  const own = repair(without$defs(root), 0, walk)
  const definitions: [string, JsonSchema][] = []
  for (let next = walk.references.take(); next !== undefined; next = walk.references.take()) {
    const [name, schema] = next
    definitions.push([name, without$defs(repair(isSchema(schema) ? without$defs(schema) : schema, 0, walk))])
  }
  const known = mapIn(root, '$defs')
  const isSame =
    own === without$defs(root) &&
    Object.keys(known).length === definitions.length &&
    definitions.every(([name, schema]) => known[name] === schema)
  if (isSame && !('definitions' in root)) return root
  return definitions.length === 0 ? own : { ...own, $defs: Object.fromEntries(definitions) }
}

const bare = new WeakMap<JsonSchema, JsonSchema>()

/** Definitions are repaired if something names them. The same object for the same schema. */
function without$defs(schema: JsonSchema): JsonSchema {
  if (!('$defs' in schema) && !('definitions' in schema)) return schema
  const made = bare.get(schema) ?? without(schema, '$defs', 'definitions')
  bare.set(schema, made)
  return made
}

/** A schema that is `true` or `false`, or none at all, allows anything: no API takes it at every position. */
const anything: JsonSchema = Object.freeze({})

function repair(value: unknown, depth: number, walk: Walk): JsonSchema {
  walk.schemas += 1
  if (!isSchema(value) || depth > maxDepth || walk.schemas > maxSchemas) return anything
  const notes: string[] = []
  const source = modernSchema(without$defs(value))
  const entries: [string, unknown][] = []
  for (const [name, raw] of Object.entries(source)) {
    const repaired = repairKeyword(name, raw, { source, depth, walk, notes })
    if (repaired !== undefined) entries.push([name, repaired])
  }
  const types = typesOf(source)
  if (types.includes('array') && !entries.some(([name]) => name === 'items')) entries.push(['items', anything])
  const isSame = source === value && entries.length === Object.keys(source).length
  const unchanged = isSame && entries.every(([name, repaired]) => repaired === source[name]) && notes.length === 0
  return unchanged ? source : withNotes(Object.fromEntries(entries), notes)
}

interface Position {
  readonly source: JsonSchema
  readonly depth: number
  readonly walk: Walk
  readonly notes: string[]
}

/** Returns undefined to leave the keyword out. */
function repairKeyword(name: string, value: unknown, position: Position): unknown {
  const { source, walk, notes } = position
  if (name === 'type') return repairType(value)
  if (name === 'enum') return repairEnum(value, source)
  if (name === '$ref' || name === '$dynamicRef' || name === '$recursiveRef') {
    const ref = name === '$ref' ? walk.references.rewritten(value) : undefined
    if (ref === undefined) notes.push(noteOf(name, value))
    return ref
  }
  const kind = keywordKinds.get(name)
  return kind === undefined ? value : repairs[kind](value, position)
}

const repairs: Readonly<Record<KeywordKind, (value: unknown, position: Position) => unknown>> = {
  schema: inner,
  schemaOrBoolean: (value, position) =>
    typeof value === 'boolean' ? value : isSchema(value) ? inner(value, position) : undefined,
  list: (value, position) => {
    if (!Array.isArray(value)) return undefined
    const schemas = sameIfEqual(
      value,
      value.filter((each) => each !== false).map((each) => inner(each, position)),
    )
    return schemas.length === 0 ? undefined : schemas
  },
  map: (value, position) => (isSchema(value) ? innerMap(value, position) : undefined),
  patternMap: (value, position) => (isSchema(value) ? innerMap(value, position, isPattern) : undefined),
  text: (value) => (typeof value === 'string' ? (value.isWellFormed() ? value : value.toWellFormed()) : undefined),
  pattern: (value) => (isPattern(value) ? value : undefined),
  number: (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
  count: (value) => (Number.isInteger(value) && Number(value) >= 0 ? value : undefined),
  flag: (value) => (typeof value === 'boolean' ? value : undefined),
  names: (value) => {
    if (!Array.isArray(value)) return undefined
    return sameIfEqual(value, [...new Set(value.filter((name) => typeof name === 'string'))])
  },
  dropped: () => undefined,
}

function inner(value: unknown, { depth, walk }: Position): JsonSchema {
  return repair(value, depth + 1, walk)
}

/** A property that allows no value is left out. */
function innerMap(map: JsonSchema, position: Position, isName: (name: string) => boolean = () => true): JsonSchema {
  const entries = Object.entries(map)
  const repaired = entries
    .filter(([name, schema]) => schema !== false && isName(name))
    .map(([name, schema]) => [name, inner(schema, position)] as const)
  const isSame = repaired.length === entries.length && repaired.every(([name, schema]) => schema === map[name])
  return isSame ? map : Object.fromEntries(repaired)
}

function repairType(value: unknown): unknown {
  if (isTypeName(value)) return value
  if (!Array.isArray(value)) return undefined
  const types = sameIfEqual(value, [...new Set(value.filter(isTypeName))])
  return types.length === 0 ? undefined : types
}

/** The APIs refuse an empty list, a value twice, and a value that the type does not allow. */
function repairEnum(value: unknown, source: JsonSchema): unknown {
  if (!Array.isArray(value)) return undefined
  const known = new Set<string>()
  const types = typesOf(source)
  const fitting = value.filter((each) => hasType(types, each) && isNew(known, JSON.stringify(each)))
  return fitting.length === 0 ? undefined : sameIfEqual(value, fitting)
}

function isNew(known: Set<string>, text: string): boolean {
  if (known.has(text)) return false
  known.add(text)
  return true
}

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false
  try {
    new RegExp(value, 'u')
    return true
  } catch {
    return false // an API would refuse the whole request
  }
}

function sameIfEqual(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return before.length === after.length && before.every((each, index) => each === after[index]) ? before : after
}
