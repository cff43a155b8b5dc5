// Converts a schema to the part of JSON Schema that Google's API takes; pure.
import { isSchema, mapIn, noteOf, requiredOf, withNotes, without } from './json-schema.ts'
import type { JsonSchema } from './json-schema.ts'
import { objectRoot } from './object-root.ts'
import { repairSchema } from './repair-schema.ts'

/** Keywords that are sent unchanged: those of `responseJsonSchema` in the API's reference. */
const plain = new Set(['type', 'format', 'title', 'description', 'minItems', 'maxItems', 'minimum', 'maximum'])
/** Keywords that do not restrict a value. */
const silent = new Set(['$comment', 'examples', 'default', 'deprecated', 'readOnly', 'writeOnly'])

/**
 * Returns a schema of the keywords that the API knows. The description names every other constraint. `const` becomes an
 * `enum` of one. A reference stands alone, and a circle of references goes through optional properties only.
 */
export function googleSchema(schema: unknown): JsonSchema {
  return converted(repairSchema(schema))
}

/** The same for the parameters of a tool, whose root is an object. */
export function googleToolSchema(schema: unknown): JsonSchema {
  return converted(objectRoot(repairSchema(schema)))
}

function converted(schema: JsonSchema): JsonSchema {
  const definitions = mapIn(schema, '$defs')
  const isInCircle = circlesOf(definitions)
  const own = convert(without(schema, '$defs'), () => false)
  if (Object.keys(definitions).length === 0) return own
  const $defs = Object.entries(definitions).map(([name, each]) => {
    const isBack = (ref: string): boolean => isInCircle(name, ref)
    return [name, isSchema(each) ? convert(each, isBack) : {}] as const
  })
  return { ...own, $defs: Object.fromEntries($defs) }
}

/** True if a reference leads back to itself. */
type IsBack = (ref: string) => boolean

function convert(schema: JsonSchema, isBack: IsBack): JsonSchema {
  const { $ref, ...rest } = schema
  if (typeof $ref === 'string') return convertReference($ref, rest, isBack)
  const sent: Record<string, unknown> = {}
  const notes: string[] = []
  for (const [name, value] of Object.entries(schema)) {
    if (plain.has(name)) sent[name] = value
    else if (name === 'required') addRequired(sent, notes, schema, isBack)
    else if (name === 'enum' || name === 'const') addValues(sent, notes, name, value)
    else if (name === 'allOf' && isSingle(value) && !('anyOf' in schema)) sent['anyOf'] = convertList(value, isBack)
    else if (!addNested(sent, name, value, isBack) && !silent.has(name)) notes.push(noteOf(name, value))
  }
  return withNotes(sent, notes)
}

/** Beside a reference the API takes nothing. */
function convertReference($ref: string, rest: JsonSchema, isBack: IsBack): JsonSchema {
  const beside = convert(rest, isBack)
  if (Object.keys(beside).length === 0) return { $ref }
  return 'anyOf' in beside ? withNotes(beside, [noteOf('$ref', $ref)]) : { ...beside, anyOf: [{ $ref }] }
}

/** A required property that leads back, or that no property describes, becomes optional. */
function addRequired(sent: Record<string, unknown>, notes: string[], schema: JsonSchema, isBack: IsBack): void {
  const properties = mapIn(schema, 'properties')
  const names = requiredOf(schema)
  const isSendable = (name: string): boolean =>
    Object.hasOwn(properties, name) && !refsIn(properties[name]).some(isBack)
  const sendable = names.filter(isSendable)
  if (sendable.length > 0) sent['required'] = sendable
  if (sendable.length < names.length)
    notes.push(
      noteOf(
        'required',
        names.filter((name) => !isSendable(name)),
      ),
    )
}

/** The API takes texts and numbers. */
function addValues(sent: Record<string, unknown>, notes: string[], name: 'enum' | 'const', value: unknown): void {
  const values: unknown[] = name === 'enum' && Array.isArray(value) ? value : [value]
  const known = values.filter((each) => typeof each === 'string' || typeof each === 'number')
  if (known.length === values.length) sent['enum'] = known
  else notes.push(noteOf(name, value))
}

function addNested(sent: Record<string, unknown>, name: string, value: unknown, isBack: IsBack): boolean {
  const one = (each: unknown): unknown => (isSchema(each) ? convert(each, isBack) : each)
  if (name === 'items' || name === 'additionalProperties') sent[name] = one(value)
  else if (name === 'prefixItems' || name === 'anyOf' || name === 'oneOf') sent[name] = convertList(value, isBack)
  else if (name === 'properties' && isSchema(value))
    sent[name] = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, one(each)]))
  else return false
  return true
}

function convertList(value: unknown, isBack: IsBack): unknown {
  return Array.isArray(value) ? value.map((each: unknown) => (isSchema(each) ? convert(each, isBack) : each)) : value
}

function isSingle(value: unknown): boolean {
  return Array.isArray(value) && value.length === 1
}

/** Returns whether a definition's reference to another one leads back to it. */
function circlesOf(definitions: JsonSchema): (from: string, ref: string) => boolean {
  const refs = new Map(Object.entries(definitions).map(([name, schema]) => [name, refsIn(schema).map(nameOf)]))
  const reached = new Map<string, ReadonlySet<string>>()
  const reachedFrom = (start: string): ReadonlySet<string> => {
    const known = reached.get(start)
    if (known !== undefined) return known
    const found = new Set([start])
    for (const name of found) for (const next of refs.get(name) ?? []) found.add(next)
    reached.set(start, found)
    return found
  }
  return (from, ref) => reachedFrom(nameOf(ref)).has(from)
}

function nameOf(ref: string): string {
  return ref.replace('#/$defs/', '')
}

/** The references in a schema. */
function refsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(refsIn)
  if (!isSchema(value)) return []
  const own = typeof value['$ref'] === 'string' ? [value['$ref']] : []
  return [...own, ...Object.values(value).flatMap(refsIn)]
}
