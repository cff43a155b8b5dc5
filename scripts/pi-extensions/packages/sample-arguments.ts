// Makes arguments that a JSON Schema accepts, as a model would send the least of them.

interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly minItems?: number
  readonly minimum?: number
}

/** Words for properties that name something: a file that is there, and an address that nobody serves. */
const words: readonly (readonly [RegExp, string])[] = [
  [/url|uri|link/i, 'http://127.0.0.1:9/'],
  [/path|file/i, 'notes.txt'],
  [/cwd|dir|folder/i, '.'],
  [/command|cmd|script/i, 'echo one'],
  [/pattern|query|search/i, 'one'],
]

/** @param name the property, which says what a text is for */
export function sampleArguments(schema: Schema, name = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0]
  if (choice !== undefined) return sampleArguments(choice, name)
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  switch (type) {
    case 'object':
    case undefined:
      return objectSample(schema)
    case 'array':
      return schema.items === undefined ? [] : [sampleArguments(schema.items, name)]
    case 'number':
    case 'integer':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return words.find(([pattern]) => pattern.test(name))?.[1] ?? 'one'
  }
}

function objectSample({ required = [], properties = {} }: Schema): Record<string, unknown> {
  return Object.fromEntries(required.map((key) => [key, sampleArguments(properties[key] ?? {}, key)]))
}
