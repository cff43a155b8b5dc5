// Google takes a part of JSON Schema; what it does not take is told to the model in words, in the description of where it stood.
import { ownValue } from '../../streams/values/own-value.ts'

type Schema = Readonly<Record<string, unknown>>

/** What is sent as it is (ai.google.dev/gemini-api/docs/function-calling, structured output). */
const plain = new Set([
  'type',
  'format',
  'title',
  'description',
  'enum',
  'required',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  '$ref',
])
/** Says nothing about what a value may be. */
const silent = new Set(['$id', '$schema', '$comment', 'examples', 'default', 'deprecated', 'readOnly', 'writeOnly'])

/** The schema in Google's part of JSON Schema; a new object. `const` becomes an `enum` of one. Linear. */
export function googleSchema(schema: unknown): Record<string, unknown> {
  const given = isSchema(schema) ? schema : {}
  const sent: Record<string, unknown> = {}
  const told: string[] = []
  for (const [name, value] of Object.entries(given)) {
    const within = ownValue(nested, name)
    if (within !== undefined) sent[name] = within(value)
    else if (name === 'const') sent['enum'] = [value]
    else if (plain.has(name)) sent[name] = value
    else if (!silent.has(name)) told.push(`${name}: ${JSON.stringify(value)}`)
  }
  if (told.length === 0) return sent
  const description = typeof sent['description'] === 'string' ? `${sent['description']} ` : ''
  return { ...sent, description: `${description}(${told.join('; ')})` }
}

const one = (value: unknown): unknown => (isSchema(value) ? googleSchema(value) : value)
const list = (value: unknown): unknown => (Array.isArray(value) ? value.map(googleSchema) : value)
const byName = (value: unknown): unknown =>
  isSchema(value)
    ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, googleSchema(schema)]))
    : value

const nested: Readonly<Record<string, (value: unknown) => unknown>> = {
  properties: byName,
  $defs: byName,
  items: one,
  additionalProperties: one,
  prefixItems: list,
  anyOf: list,
  oneOf: list,
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
