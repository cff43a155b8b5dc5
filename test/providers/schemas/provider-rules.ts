// What each API refuses in the schema of a tool, as its reference or its error messages say; apart from the code that normalises.
import { Ajv2020 } from 'ajv/dist/2020.js'

type Schema = Readonly<Record<string, unknown>>
/** Returns what the API would refuse; nothing if it takes the schema. */
export type Rules = (schema: unknown) => string[]

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const maps = ['properties', '$defs', 'patternProperties', 'dependentSchemas']
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const singles = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames']

/** Every schema in a schema, with its position. */
function* schemasIn(schema: unknown, pointer = '#'): Generator<readonly [position: string, schema: unknown]> {
  yield [pointer, schema]
  if (!isSchema(schema)) return
  for (const name of maps)
    for (const [key, each] of Object.entries(isSchema(schema[name]) ? schema[name] : {}))
      yield* schemasIn(each, `${pointer}/${name}/${key}`)
  for (const name of lists) {
    const list = schema[name]
    if (Array.isArray(list))
      for (const [index, each] of list.entries()) yield* schemasIn(each, `${pointer}/${name}/${index}`)
  }
  for (const name of singles)
    if (name in schema && typeof schema[name] !== 'boolean') yield* schemasIn(schema[name], `${pointer}/${name}`)
}

function typesOf({ type }: Schema): readonly unknown[] {
  return Array.isArray(type) ? type : [type]
}

/** Shared: to make one costs more than a check. */
export const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })

/** "JSON schema is invalid. It must match JSON Schema draft 2020-12": the meta-schema, and references that resolve. */
function draft2020(schema: unknown): string[] {
  if (!isSchema(schema)) return ['no object']
  if (ajv.validateSchema(schema) !== true) return [`not of draft 2020-12: ${ajv.errorsText()}`]
  try {
    ajv.compile(schema)
    return []
  } catch (error) {
    return [`does not compile: ${String(error)}`]
  }
}

/** "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level" */
function plainRoot(schema: unknown): string[] {
  if (!isSchema(schema)) return ['no object']
  const type = schema['type'] === 'object' ? [] : ['the type of the root is not object']
  const refused = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'].filter((name) => name in schema)
  return [...type, ...refused.map((name) => `${name} at the top level`)]
}

function eachSchema(schema: unknown, check: (schema: Schema, pointer: string) => readonly string[]): string[] {
  return Array.from(schemasIn(schema)).flatMap(([pointer, each]) =>
    isSchema(each)
      ? check(each, pointer).map((fault) => `${pointer}: ${fault}`)
      : [`${pointer}: ${JSON.stringify(each)} is no object`],
  )
}

/** "array schema missing items"; "enum value 5 does not validate against {'type': 'string'}" */
const openAi: Rules = (schema) => [
  ...plainRoot(schema),
  ...(isSchema(schema) && isSchema(schema['properties']) ? [] : ['object schema missing properties']),
  ...draft2020(schema),
  ...eachSchema(schema, (each) => [
    ...(typesOf(each).includes('array') && !isSchema(each['items']) ? ['array schema missing items'] : []),
    ...wrongValues(each),
  ]),
]

function wrongValues(schema: Schema): readonly string[] {
  const values = schema['enum']
  if (!Array.isArray(values) || schema['type'] === undefined) return []
  const check = ajv.compile({ type: schema['type'] })
  return values.filter((value) => !check(value)).map((value) => `enum value ${JSON.stringify(value)} has another type`)
}

/** "input_schema does not support oneOf, allOf, or anyOf at the top level"; "Property keys should match pattern" */
const anthropic: Rules = (schema) => [
  ...plainRoot(schema),
  ...draft2020(schema),
  ...eachSchema(schema, (each) =>
    Object.keys(isSchema(each['properties']) ? each['properties'] : {})
      .filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name))
      .map((name) => `the property ${name} has no valid key`),
  ),
]

const googleKeywords = new Set(
  '$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum anyOf oneOf properties additionalProperties required propertyOrdering'.split(
    ' ',
  ),
)

/** "only the following properties are supported"; references alone, and circles through optional properties only. */
const google: Rules = (schema) => [
  ...plainRoot(schema).filter((fault) => !/enum|not at/.test(fault)),
  ...draft2020(schema),
  ...eachSchema(schema, (each, pointer) => [
    ...Object.keys(each)
      .filter((name) => !googleKeywords.has(name))
      .map((name) => `unsupported: ${name}`),
    ...('$ref' in each && Object.keys(each).some((name) => !name.startsWith('$')) ? ['something beside $ref'] : []),
    ...(Array.isArray(each['enum']) && each['enum'].some((value) => !['string', 'number'].includes(typeof value))
      ? ['enum of other values than texts and numbers']
      : []),
    ...requiredOf(each)
      .filter((name) => !isSchema(propertyOf(each, name)))
      .map((name) => `requires ${name}, which is no property`),
    ...requiredOf(each)
      .filter((name) => isCircle(schema, pointer, propertyOf(each, name)))
      .map((name) => `requires the circle ${name}`),
  ]),
]

function requiredOf(schema: Schema): readonly string[] {
  return Array.isArray(schema['required']) ? (schema['required'] as string[]) : []
}

function propertyOf(schema: Schema, name: string): unknown {
  return isSchema(schema['properties']) && Object.hasOwn(schema['properties'], name)
    ? schema['properties'][name]
    : undefined
}

/** True if following references from the property comes back to the definition it stands in. */
function isCircle(root: unknown, pointer: string, property: unknown): boolean {
  const home = /^#\/\$defs\/[^/]+/.exec(pointer)?.[0]
  const definitions = isSchema(root) && isSchema(root['$defs']) ? root['$defs'] : {}
  const waiting = refsIn(property)
  for (const ref of waiting) {
    if (ref === home) return true
    for (const next of refsIn(definitions[ref.replace('#/$defs/', '')])) if (!waiting.includes(next)) waiting.push(next)
  }
  return false
}

function refsIn(schema: unknown): string[] {
  return Array.from(schemasIn(schema)).flatMap(([, each]) =>
    isSchema(each) && typeof each['$ref'] === 'string' ? [each['$ref']] : [],
  )
}

const strictKeywords = new Set(
  '$defs $ref type title description enum const properties required additionalProperties items anyOf pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems'.split(
    ' ',
  ),
)

/** The guide to structured outputs: closed objects, every property required, a part of the keywords, limits. */
export const strictRules: Rules = (schema) => {
  const all = Array.from(schemasIn(schema))
  const properties = all.reduce(
    (sum, [, each]) =>
      sum + (isSchema(each) && isSchema(each['properties']) ? Object.keys(each['properties']).length : 0),
    0,
  )
  const values = all.reduce(
    (sum, [, each]) => sum + (isSchema(each) && Array.isArray(each['enum']) ? each['enum'].length : 0),
    0,
  )
  return [
    ...openAi(schema),
    ...(properties > 5_000 ? ['more than 5,000 properties'] : []),
    ...(values > 1_000 ? ['more than 1,000 values'] : []),
    ...eachSchema(schema, (each) => {
      const names = isSchema(each['properties']) ? Object.keys(each['properties']) : undefined
      return [
        ...Object.keys(each)
          .filter((name) => !strictKeywords.has(name))
          .map((name) => `unsupported: ${name}`),
        ...('$ref' in each && Object.keys(each).length > 1 && !('$defs' in each) ? ['something beside $ref'] : []),
        ...(Object.keys(each).filter((name) => name !== 'description').length === 0 ? ['allows anything'] : []),
        ...(typesOf(each).includes('object') && each['additionalProperties'] !== false ? ['an open object'] : []),
        ...(names?.filter((name) => !requiredOf(each).includes(name)).map((name) => `${name} is not required`) ?? []),
      ]
    }),
  ]
}

/** Of one API of each vendor. */
export const providerRules: Readonly<Record<string, Rules>> = {
  'openai-completions': openAi,
  'anthropic-messages': anthropic,
  'google-generative-ai': google,
}
