// Leaves out the properties whose names Anthropic's API refuses.
import { isSchema, noteOf, withNotes, without } from './json-schema.ts'
import type { JsonSchema } from './json-schema.ts'

const acceptedName = /^[a-zA-Z0-9_.-]{1,64}$/

/**
 * Returns the schema itself if the API accepts every name. A schema that is left out stands in the description, and its object
 * is open, so that the model can still send it.
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
