// Ajv writes for every way a schema may be used; here the same checks are left with what ours need: the place, the first error, the kinds of error once.

const text = String.raw`"(?:[^"\\]|\\.)*"`
const errorObject = new RegExp(
  String.raw`\{instancePath(?::(?<place>.+?))?,schemaPath:${text},keyword:(?<keyword>${text}),params:(?<params>\{(?:[^"{}]|${text})*\}),message:(?<message>${text}(?:\+(?:\w+|${text}))*)\}`,
  'g',
)

/** Stands before the validators: what one does with an error of a kind at a place. */
const helpers = `
const no = (validate, place, kind) => {validate.errors = [{instancePath: place, ...kind}];return false;};
const add = (errors, place, kind) => [...(errors ?? []), {instancePath: place, ...kind}];
const not = (allowedValue) => ({keyword:"const",params:{allowedValue},message:"must be equal to constant"});
const lack = (name) => ({keyword:"required",params:{missingProperty:name},message:"must have required property '" + name + "'"});
const isObject = (value) => value && typeof value == "object" && !Array.isArray(value);
`

/**
 * Standalone validators in about a third of the text, with the same verdicts and errors, but for `schemaPath`, which nobody
 * reads. They are called with a value alone.
 * @throws where Ajv writes an error in a form that is not known here, so that a new version of it is seen when it comes
 */
export function compactValidators(code: string): string {
  const kinds = new Map<string, string>()
  const body = shorterQuestions(placeAsArgument(withListsInPlace(code)))
    .replace(errorObject, (_, ...found: unknown[]) => {
      const { place = 'instancePath', ...kind } = found.at(-1) as Kind & { readonly place?: string }
      return `${place}, ${kindOf(kind, kinds)}`
    })
    .replace(/(\w+)\.errors = \[([^[\]]*)\];return false;/g, 'return no($1, $2);')
    .replace(
      /const (err\d+) = ([^;]*);if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}errors\+\+;/g,
      'vErrors = add(vErrors, $2);errors++;',
    )
  const unknown = /.{0,80}(?:schemaPath|const err\d|\.errors = \[|parentData).{0,80}/.exec(body)
  if (unknown !== null) throw new Error(`Ajv wrote an error in a form that is not known here: ${unknown[0]}`)
  const named = [...kinds].map(([kind, name]) => `const ${name} = ${kind};\n`).join('')
  return helpers + named + withShortNames(withoutUnreadSchemas(body.split(eachFunction).map(withoutCounts).join('')))
}

interface Kind {
  readonly keyword: string
  readonly params: string
  readonly message: string
}

/** The name of a kind that is always the same, or, where it tells something of the value, the kind itself. */
function kindOf({ keyword, params, message }: Kind, kinds: Map<string, string>): string {
  const missing = /missingProperty: (\w+)/.exec(params)?.[1]
  if (missing !== undefined) return `lack(${missing})`
  const wanted = new RegExp(`^\\{allowedValue: (${text})\\}$`).exec(params)?.[1]
  const kind = wanted !== undefined ? `not(${wanted})` : `{keyword:${keyword},params:${params},message:${message}}`
  if (/: (?:key|tag|data)\d+/.test(params.replaceAll(new RegExp(text, 'g'), ''))) return kind
  const name = kinds.get(kind) ?? `k${kinds.size}`
  kinds.set(kind, name)
  return name
}

/** Of what validators pass to one another only the place is used. */
function placeAsArgument(code: string): string {
  return code
    .replaceAll(
      '(data, {instancePath="", parentData, parentDataProperty, rootData=data}={})',
      '(data, instancePath="")',
    )
    .replace(
      /\{instancePath(?::([^{}]+?))?,parentData(?::\w+)?,parentDataProperty(?::[^{}]+?)?,rootData\}/g,
      (_, place?: string) => place ?? 'instancePath',
    )
    .replace(/\/\*# sourceURL=.*?\*\/;/g, '')
}

function shorterQuestions(code: string): string {
  const value = String.raw`(\w+(?:\.\w+)*)`
  const isFinite = String.raw`\(isFinite\(\1\)\)`
  const isWhole = String.raw`\(!\(\1 % 1\) && !isNaN\(\1\)\)`
  return code
    .replace(
      new RegExp(String.raw`\(\(\(typeof ${value} == "number"\) && ${isWhole}\) && ${isFinite}\)`, 'g'),
      '(Number.isInteger($1))',
    )
    .replace(new RegExp(String.raw`\(\(typeof ${value} == "number"\) && ${isFinite}\)`, 'g'), '(Number.isFinite($1))')
    .replace(/(\w+) && typeof \1 == "object" && !Array\.isArray\(\1\)/g, 'isObject($1)')
}

const eachFunction = /(?=\bfunction validate\d+\()/

/**
 * Ajv counts errors, for some are collected until a union is decided. In a function that returns with its first one the
 * counts are always equal, and what asks for them falls away.
 */
function withoutCounts(part: string): string {
  const name = /^function (validate\d+)/.exec(part)?.[1]
  if (name === undefined || part.includes('errors++')) return part
  const plain = part
    .replace('let vErrors = null;let errors = 0;', '')
    .replace(/const _errs\d+ = errors;/g, '')
    .replace(/if\((?:errors === (?:0|_errs\d+)|_errs\d+ === errors)\)/g, '')
    .replace(/var valid\d+ = (?:_errs\d+ === errors|true);/g, '')
    .replace(/\}else \{\}if\(valid\d+\)\{/g, '}{')
    .replace(/else \{\}/g, '')
    .replace(/if\(!valid\d+\)\{break;\}/g, '')
    .replace(/(return no\([^{}]*\);)break;/g, '$1')
    .replace(
      /vErrors = vErrors === null \? (validate\d+)\.errors : vErrors\.concat\(\1\.errors\);errors = vErrors\.length;/g,
      `${name}.errors = $1.errors;return false;`,
    )
    .replace(`${name}.errors = vErrors;return errors === 0;`, `${name}.errors = null;return true;`)
  return /\b(?:vErrors|_errs\d|valid\d|errors (?!= (?:null|validate)))/.test(plain) ? part : plain
}

const embeddedSchema = /const (schema\d+) = (\{.*?\});(?=\w)/g

/** Errors tell allowed values and types from the embedded schema; the list itself takes its place. */
function withListsInPlace(code: string): string {
  const schemas = new Map([...code.matchAll(embeddedSchema)].map(([, name = '', json = '']) => [name, json]))
  const list = new RegExp(String.raw`(allowedValues|type): (schema\d+)((?:\.\w+|\[(?:${text}|\d+)\])+)`, 'g')
  return code.replace(list, (_, parameter: string, name: string, path: string) => {
    const keys = [...path.matchAll(new RegExp(String.raw`\.(\w+)|\[(${text}|\d+)\]`, 'g'))]
    const listed = keys.reduce<unknown>(
      (schema, [, word, index = '']) => Reflect.get(Object(schema) as object, word ?? String(JSON.parse(index))),
      JSON.parse(schemas.get(name) ?? 'null'),
    )
    return `${parameter}: ${JSON.stringify(listed)}`
  })
}

/** Few checks read an embedded schema at run time. */
function withoutUnreadSchemas(code: string): string {
  return code.replace(embeddedSchema, (constant, name: string) => {
    const isRead = code.split(new RegExp(String.raw`\b${name}\b`)).length > 2
    return isRead ? constant : ''
  })
}

function withShortNames(code: string): string {
  return code
    .replace(/\bvalidate(\d+)\b/g, 'v$1')
    .replace(/\bmissing(\d+)\b/g, 'm$1')
    .replace(/\binstancePath\b/g, 'at')
}
