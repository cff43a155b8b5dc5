// Repairs tool arguments that models often get wrong, guided by the tool's schema.
// Guarantees: a value that fits its schema is copied unchanged, and the input is never modified.
import { isRecord } from '../../streams/values/json.ts'

/** A schema as plain data. */
type JsonSchema = Readonly<Record<string, unknown>>

type Kind = 'null' | 'boolean' | 'number' | 'integer' | 'string' | 'array' | 'object'

/**
 * Returns a deep copy of the arguments with known mistakes of models repaired (docs/loop.md#8). Numeric strings become
 * numbers; "true" and "false" become booleans. JSON text in place of an object or array is parsed; any other value in
 * place of an array becomes its one element. `null` for an optional property is dropped. A required property that is
 * missing gets its `default`. It does not follow `$ref`. A value that cannot be repaired stays, and the validator names it.
 */
export function repairArguments(schema: JsonSchema, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return repairObject(schema, args)
}

function repair(schema: unknown, value: unknown): unknown {
  if (!isRecord(schema)) return copy(value)
  const branches = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(branches)) return repairByBranch(branches, value)
  if (Array.isArray(schema['allOf'])) {
    return schema['allOf'].reduce((repaired: unknown, part: unknown) => repair(part, repaired), copy(value))
  }
  const wanted = kindsOf(schema)
  const kind = wanted.find((each) => isKind(each, value)) ?? wanted[0]
  if (kind === undefined) return copy(value)
  if (kind === 'object') return repairToObject(schema, value)
  if (kind === 'array') return repairToArray(schema, value)
  return isKind(kind, value) ? value : repairScalar(kind, value)
}

/** Repairs by the first branch that the value fits unchanged, else by the first that it fits after a repair. */
function repairByBranch(branches: readonly unknown[], value: unknown): unknown {
  const fitting = branches.find((branch) => fits(branch, value))
  if (fitting !== undefined) return repair(fitting, value)
  for (const branch of branches) {
    const repaired = repair(branch, value)
    if (fits(branch, repaired)) return repaired
  }
  return copy(value)
}

function repairToObject(schema: Record<string, unknown>, value: unknown): unknown {
  const object = parseJsonText(value)
  return isRecord(object) ? repairObject(schema, object) : copy(value)
}

function repairObject(schema: JsonSchema, object: Readonly<Record<string, unknown>>) {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const entries = Object.entries(object)
    .filter(([name, value]) => value !== null || !isDroppable(name, properties, required))
    .map(([name, value]) => [name, repair(propertySchema(schema, properties, name), value)] as const)
  const defaults = missingDefaults(object, properties, required)
  return Object.fromEntries([...entries, ...defaults]) // defines, so that a property named __proto__ stays one
}

/** Zod lists a property with a default as required, so the schemas of many MCP servers do. */
function missingDefaults(
  object: Readonly<Record<string, unknown>>,
  properties: Record<string, unknown>,
  required: readonly unknown[],
): readonly (readonly [string, unknown])[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    required.includes(name) && !Object.hasOwn(object, name) && isRecord(schema) && Object.hasOwn(schema, 'default')
      ? [[name, copy(schema['default'])] as const]
      : [],
  )
}

function isDroppable(name: string, properties: Record<string, unknown>, required: readonly unknown[]): boolean {
  return Object.hasOwn(properties, name) && !required.includes(name) && !fits(properties[name], null)
}

function propertySchema(schema: Record<string, unknown>, properties: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(properties, name)) return properties[name]
  const patterns = isRecord(schema['patternProperties']) ? Object.entries(schema['patternProperties']) : []
  const matching = patterns.find(([pattern]) => new RegExp(pattern, 'u').test(name))
  return matching === undefined ? schema['additionalProperties'] : matching[1]
}

function repairToArray(schema: Record<string, unknown>, value: unknown): unknown {
  const array = parseJsonText(value)
  if (!Array.isArray(array)) return repairToElement(itemSchema(schema, 0), isRecord(array) ? array : value)
  return array.map((item, index) => repair(itemSchema(schema, index), item))
}

/** An array of the one element, if the value fits as an element. */
function repairToElement(items: unknown, value: unknown): unknown {
  const element = repair(items, value)
  return value !== null && fits(items, element) ? [element] : copy(value)
}

function itemSchema(schema: Record<string, unknown>, index: number): unknown {
  const tuple = schema['prefixItems'] ?? schema['items']
  return Array.isArray(tuple) ? tuple[index] : schema['items']
}

function repairScalar(kind: Kind, value: unknown): unknown {
  if (typeof value !== 'string') return copy(value)
  const text = value.trim()
  if (kind === 'boolean' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  if ((kind === 'number' || kind === 'integer') && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) {
    const number = Number(text)
    if (isKind(kind, number)) return number
  }
  return value
}

/** Parses JSON text of an object or array; returns any other value unchanged. */
function parseJsonText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value // not JSON after all: a plain string that begins with a bracket
  }
}

/** Checks shallowly: the kind, a constant or a list of values; for an object also the required properties. */
function fits(schema: unknown, value: unknown): boolean {
  if (!isRecord(schema)) return true
  if ('const' in schema) return schema['const'] === value
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value)
  const branches = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(branches)) return branches.some((branch) => fits(branch, value))
  const wanted = kindsOf(schema)
  if (wanted.length > 0 && !wanted.some((kind) => isKind(kind, value))) return false
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return !isRecord(value) || required.every((name) => typeof name === 'string' && Object.hasOwn(value, name))
}

function kindsOf(schema: Record<string, unknown>): readonly Kind[] {
  const type = schema['type'] ?? impliedKind(schema)
  return (Array.isArray(type) ? type : [type]).filter(isKindName)
}

/** Schemas written by hand omit `type` if another keyword implies it. */
function impliedKind(schema: Record<string, unknown>): unknown {
  if (isRecord(schema['properties'])) return 'object'
  return 'const' in schema ? kindOfConstant(schema['const']) : undefined
}

function kindOfConstant(value: unknown): unknown {
  return typeof value === 'object' ? undefined : typeof value
}

const checks: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  string: (value) => typeof value === 'string',
  array: (value) => Array.isArray(value),
  object: isRecord,
}

function isKind(kind: Kind, value: unknown): boolean {
  return checks[kind](value)
}

function isKindName(name: unknown): name is Kind {
  return typeof name === 'string' && Object.hasOwn(checks, name)
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copy(each)]))
}
