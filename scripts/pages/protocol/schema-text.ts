// Formats a JSON Schema in TypeScript notation, with names for referenced schemas.

/** A JSON Schema from `protocolSchema`. */
export type Described = Readonly<Record<string, unknown>>

const ids: Readonly<Record<string, string>> = {
  '^[a-z2-7]{12}$': 'SessionId',
  '^[a-z2-7]{8}$': 'ShortId',
  '^[a-z2-7]{26}$': 'RequestId',
  '^[0-9a-f]{8}$': 'Crc',
}

/**
 * `{ session: SessionId, text: string, images?: ImageContent[] }`; integers and numbers with their bounds, if they have
 * any.
 */
export function schemaText(schema: Described): string {
  const { $ref, const: literal, enum: values, type } = schema
  if (typeof $ref === 'string') return nameOf($ref)
  if (literal !== undefined) return JSON.stringify(literal)
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  const either = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(either)) return either.map(textOf).join(' | ')
  if (Array.isArray(type)) return type.map((each) => schemaText({ ...schema, type: each as unknown })).join(' | ')
  switch (type) {
    case 'array':
      return arrayText(textOf(schema['items'] ?? {}))
    case 'object':
      return objectText(schema)
    case 'string':
      return ids[String(schema['pattern'])] ?? 'string'
    case 'integer':
    case 'number':
      return numberText(type, schema)
    default:
      return typeof type === 'string' ? type : 'unknown'
  }
}

/** The fields of an object without the excluded ones, as `name?: type`. */
export function fieldTexts(schema: Described, without: readonly string[] = []): string[] {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Described>>
  const required = new Set((schema['required'] ?? []) as readonly string[])
  return Object.entries(properties)
    .filter(([name]) => !without.includes(name))
    .map(([name, field]) => `${name}${required.has(name) ? '' : '?'}: ${schemaText(field)}`)
}

/** The names that a schema refers to. */
export function referredTo(schema: unknown): string[] {
  return [...JSON.stringify(schema).matchAll(/#\/\$defs\/(\w+)/g)].map(([, name = '']) => name)
}

function nameOf(ref: string): string {
  const name = ref.replace('#/$defs/', '')
  return name.startsWith('event_') ? `Event<"${name.slice(6)}">` : name
}

function textOf(schema: unknown): string {
  return schemaText(schema as Described) // JSON Schema has a schema at this place
}

function arrayText(items: string): string {
  return /^[\w<">]+$/.test(items) ? `${items}[]` : `(${items})[]`
}

function objectText(schema: Described): string {
  const [values] = Object.values((schema['patternProperties'] ?? {}) as Readonly<Record<string, unknown>>)
  if (values !== undefined) return `Record<string, ${textOf(values)}>`
  const fields = fieldTexts(schema)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

/** Omits the bound 0 of whole numbers, because most have it. */
function numberText(type: string, { minimum, maximum }: Described): string {
  const name = type === 'integer' ? 'integer' : 'number'
  if (typeof maximum !== 'number') return minimum === 1 ? `${name} ≥ 1` : name
  const most = maximum === 2 ** 31 - 1 ? '2³¹−1' : maximum.toLocaleString('en')
  return `${name} ${typeof minimum === 'number' ? minimum : 0}…${most}`
}
