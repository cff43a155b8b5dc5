// Normalises the schema of a tool by the rules of each API; each schema once.
import type { TObject } from '@sinclair/typebox'
import type { Model } from '../../streams/models/model.ts'
import type { Api } from '../adapter/merge-compat.ts'
import { googleToolSchema } from './google-schema.ts'
import type { JsonSchema } from './json-schema.ts'
import { objectRoot } from './object-root.ts'
import { repairSchema } from './repair-schema.ts'
import { isSchema, noteOf, withNotes, without, mapIn, requiredOf, typesOf } from './json-schema.ts'
import { isObjectSchema } from './modern-schema.ts'

/** For `POST /chat/completions`, also Mistral's, and `POST /responses`. Returns the schema itself if the API takes it. */
export const openAiToolSchema = once((schema) => objectRoot(repairSchema(schema)))

/** For `POST /v1/messages` and Bedrock. Returns the schema itself if the API takes it. */
export const anthropicToolSchema = once((schema) => acceptedNames(objectRoot(repairSchema(schema))))

/** For `:streamGenerateContent`. */
export const googleParameters = once(googleToolSchema)

const strictSchemas = new WeakMap<TObject, { readonly schema: JsonSchema | undefined }>()

/** The form of OpenAI's strict mode; undefined if the schema has none. */
export function openAiStrictSchema(parameters: TObject): JsonSchema | undefined {
  const known = strictSchemas.get(parameters) ?? { schema: strictSchema(openAiToolSchema(parameters)) }
  strictSchemas.set(parameters, known)
  return known.schema
}

const byApi = new Map<string, Normaliser>([
  ['openai-completions', openAiToolSchema],
  ['openai-responses', openAiToolSchema],
  ['anthropic-messages', anthropicToolSchema],
  ['google-generative-ai', googleParameters],
  ['google-vertex', googleParameters],
  ['bedrock-converse-stream', anthropicToolSchema],
  ['mistral-conversations', openAiToolSchema],
] satisfies [Api, Normaliser][])

/** The port of the layer that normalises schemas. A schema for another API stays as it is. */
export function toolSchemas({ api }: Pick<Model, 'api'>): Normaliser {
  return byApi.get(api) ?? ((schema) => schema)
}

type Normaliser = (schema: TObject) => TObject

/** Remembers the result for each schema while it lives; a result is normalised already. */
function once(normalise: (schema: JsonSchema) => JsonSchema): Normaliser {
  const results = new WeakMap<TObject, TObject>()
  return (schema) => {
    const known = results.get(schema)
    if (known !== undefined) return known
    const result = normalise(schema) as TObject // its root is an object with properties
    results.set(schema, result)
    results.set(result, result)
    return result
  }
}

const acceptedName = /^[a-zA-Z0-9_.-]{1,64}$/

/**
 * Returns the schema itself if the API accepts every name. A schema that is left out stands in the description, and its
 * object is open, so that the model can still send it.
 * @param schema repaired by `repairSchema`
 */
export function acceptedNames(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).map(([name, value]) => [name, within(name, value)] as const)
  const isSame = entries.every(([name, value]) => value === schema[name])
  return dropNames(isSame ? schema : Object.fromEntries(entries))
}

function within(name: string, value: unknown): unknown {
  if (name === 'properties' || name === '$defs' || name === 'patternProperties' || name === 'dependentSchemas') {
    return isSchema(value) ? mapped(value) : value
  }
  if (name === 'default' || name === 'const' || name === 'enum' || name === 'examples') return value
  if (!Array.isArray(value)) return isSchema(value) ? acceptedNames(value) : value
  const items = value.map((each: unknown) => (isSchema(each) ? acceptedNames(each) : each))
  return items.every((each, index) => each === value[index]) ? value : items
}

function mapped(map: JsonSchema): JsonSchema {
  const entries = Object.entries(map).map(
    ([name, each]) => [name, isSchema(each) ? acceptedNames(each) : each] as const,
  )
  return entries.every(([name, each]) => each === map[name]) ? map : Object.fromEntries(entries)
}

function dropNames(schema: JsonSchema): JsonSchema {
  const { properties, required } = schema
  if (!isSchema(properties)) return schema
  const refused = Object.keys(properties).filter((name) => !acceptedName.test(name))
  if (refused.length === 0) return schema
  const open = schema['additionalProperties'] === false ? without(schema, 'additionalProperties') : schema
  const names = Array.isArray(required)
    ? { required: required.filter((name) => !refused.includes(name as string)) }
    : {}
  const dropped = refused.map((name) => noteOf(`also takes ${JSON.stringify(name)}`, properties[name]))
  return withNotes({ ...open, properties: without(properties, ...refused), ...names }, dropped)
}

/** The limits of strict mode in the API's guide to structured outputs. */
const limits = { depth: 10, properties: 5_000, values: 1_000, characters: 120_000 } as const

/** Keywords that are sent as they are. */
const plain = new Set(
  'type title description enum const multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems'.split(
    ' ',
  ),
)
const formats = new Set('date-time time date duration email hostname ipv4 ipv6 uuid'.split(' '))
const silent = new Set(['default', 'examples', '$comment', 'deprecated', 'readOnly', 'writeOnly'])
/** A schema with one of these says what strict mode cannot say. */
const inexpressible = [
  'allOf',
  'not',
  'if',
  'patternProperties',
  'prefixItems',
  'dependentSchemas',
  'dependentRequired',
]

interface Count {
  properties: number
  values: number
  characters: number
}

/**
 * Every object is closed and requires all its properties; an optional one may be null, which a call counts as absent.
 * Other constraints stand in the description. Returns undefined if strict mode cannot say the schema: an object with
 * any names, a value of any type, or more than the limits.
 * @param schema normalised for the API; its root is an object
 */
export function strictSchema(schema: JsonSchema): JsonSchema | undefined {
  const count: Count = { properties: 0, values: 0, characters: 0 }
  const definitions = Object.entries(mapIn(schema, '$defs'))
  const own = strict(without(schema, '$defs'), 1, count)
  const named = definitions.map(([name, each]) => {
    count.characters += name.length
    return [name, strict(each, 1, count)] as const
  })
  const fits = (Object.keys(count) as (keyof Count)[]).every((name) => count[name] <= limits[name])
  if (own === undefined || !fits || named.some(([, each]) => each === undefined)) return undefined
  return named.length === 0 ? own : { ...own, $defs: Object.fromEntries(named) }
}

function strict(schema: unknown, depth: number, count: Count): JsonSchema | undefined {
  if (!isSchema(schema) || depth > limits.depth || inexpressible.some((name) => name in schema)) return undefined
  const { $ref, description } = schema
  if (typeof $ref === 'string') return typeof description === 'string' ? { anyOf: [{ $ref }], description } : { $ref }
  const isObject = isObjectSchema(schema)
  if (!isObject && typesOf(schema).length === 0 && !['enum', 'const', 'anyOf', 'oneOf'].some((name) => name in schema))
    return undefined
  const sent: Record<string, unknown> = {}
  const notes: string[] = []
  for (const [name, value] of Object.entries(schema)) {
    if (plain.has(name) || (name === 'format' && formats.has(String(value))) || isPlainPattern(name, value))
      sent[name] = value
    else if (!nested.has(name) && !silent.has(name)) notes.push(noteOf(name, value))
  }
  countValues(schema, count)
  const parts = nestedIn(schema, isObject, depth, count)
  return parts && withNotes({ ...sent, ...parts }, notes)
}

const nested = new Set(['properties', 'required', 'additionalProperties', 'items', 'anyOf', 'oneOf'])

/** Lookarounds are not supported. */
function isPlainPattern(name: string, value: unknown): boolean {
  return name === 'pattern' && !/\(\?<?[=!]/.test(String(value))
}

function countValues({ enum: values, const: value }: JsonSchema, count: Count): void {
  const all: readonly unknown[] = Array.isArray(values) ? values : value === undefined ? [] : [value]
  count.values += all.length
  for (const each of all) count.characters += typeof each === 'string' ? each.length : 0
}

function nestedIn(schema: JsonSchema, isObject: boolean, depth: number, count: Count): JsonSchema | undefined {
  const object = isObject ? closedObject(schema, depth, count) : {}
  const types = typesOf(schema)
  const items = types.includes('array') ? strict(schema['items'], depth + 1, count) : {}
  const branches = schema['anyOf'] ?? schema['oneOf']
  const anyOf = Array.isArray(branches) ? branches.map((each) => strict(each, depth, count)) : []
  if (object === undefined || items === undefined || anyOf.includes(undefined)) return undefined
  return { ...object, ...(types.includes('array') ? { items } : {}), ...(anyOf.length > 0 ? { anyOf } : {}) }
}

function closedObject(schema: JsonSchema, depth: number, count: Count): JsonSchema | undefined {
  const { additionalProperties = false } = schema
  if (additionalProperties !== false) return undefined
  const required = new Set(requiredOf(schema))
  const properties = Object.entries(mapIn(schema, 'properties')).map(([name, each]) => {
    count.properties += 1
    count.characters += name.length
    const property = strict(each, depth + 1, count)
    return [name, property === undefined || required.has(name) ? property : orNull(property)] as const
  })
  if (properties.some(([, property]) => property === undefined)) return undefined
  return {
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  }
}

function orNull(schema: JsonSchema): JsonSchema {
  const types = typesOf(schema)
  const { anyOf, enum: values, description } = schema
  if (types.length === 0 && Array.isArray(anyOf))
    return { ...schema, anyOf: [...(anyOf as unknown[]), { type: 'null' }] }
  if (types.length === 0 || 'const' in schema) {
    const own = typeof description === 'string' ? { description } : {}
    return { anyOf: [without(schema, 'description'), { type: 'null' }], ...own }
  }
  const type = types.includes('null') ? types : [...types, 'null']
  const withNull = Array.isArray(values) && !values.includes(null) ? { enum: [...(values as unknown[]), null] } : {}
  return { ...schema, type, ...withNull }
}
