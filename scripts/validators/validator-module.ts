// Compiles schemas into the text of an ES module of standalone validators.
// Guarantees: the module imports nothing of Ajv but its small runtime.
import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'

interface ValidatorModule {
  /** An ES module with one exported validator a schema, under the schema's key. */
  readonly code: string
  /** Its declarations. */
  readonly declarations: string
}

/**
 * Compiles each schema under its key; schemas refer to one another by `$ref` to the `$id` that each must have.
 * A validator stops at the first fault. Throws on a key that is no identifier, on a missing or repeated `$id`, and on
 * what Ajv's strict mode refuses.
 */
export function validatorModule(schemas: Readonly<Record<string, object>>): ValidatorModule {
  const ajv = new Ajv({
    code: { source: true, esm: true },
    inlineRefs: false,
    strict: true,
    allowUnionTypes: true,
    discriminator: true,
    messages: false, // `describeError` words the problems
  })
  const identifiers = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, identifierOf(name, schema)]),
  )
  for (const schema of Object.values(schemas)) ajv.addSchema(withoutDescriptions(schema))
  const code = importRuntime(standalone.default(ajv, identifiers).replace(/^"use strict";/, ''))
  const names = Object.keys(schemas)
  const declarations = [
    "import type { ValidateFunction } from 'ajv'\n",
    ...names.map((name) => `export declare const ${name}: ValidateFunction\n`),
  ].join('')
  return { code, declarations }
}

function identifierOf(name: string, schema: object): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) throw new Error(`schema key "${name}" cannot be the name of an export`)
  const id: unknown = Reflect.get(schema, '$id')
  if (typeof id !== 'string')
    throw new Error(`schema "${name}" has no $id; give it one, so that others can refer to it`)
  return id
}

/** The code embeds a whole schema if a keyword reads it at run time; descriptions would only add size. */
function withoutDescriptions(schema: object): object {
  const bare: unknown = JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === 'description' && typeof value === 'string' ? undefined : value,
    ),
  )
  if (typeof bare !== 'object' || bare === null) throw new Error('a schema must be an object')
  return bare
}

/** Ajv's ES output still calls `require` for its runtime; here these calls become imports, any other is refused. */
function importRuntime(code: string): string {
  const imports = new Map<string, string>()
  const body = code.replace(/require\("([^"]+)"\)(\.default)?/g, (call, specifier: string, byDefault?: string) => {
    const runtime = /^ajv\/dist\/runtime\/(\w+)$/.exec(specifier)?.[1]
    if (runtime === undefined || byDefault === undefined)
      throw new Error(`a validator needs ${call}, which the bundle does not contain`)
    imports.set(`ajv_${runtime}`, specifier)
    return `ajv_${runtime}`
  })
  const head = [...imports].map(
    // Loaders differ in what the default import of a CommonJS module with `__esModule` is: its exports or their
    // default.
    ([name, specifier]) =>
      `import ${name}Module from "${specifier}.js";\nconst ${name} = ${name}Module.default ?? ${name}Module;\n`,
  )
  return head.join('') + body
}
