// Compiles JSON Schemas that are not known at build time.
// It loads Ajv, so only foreign schemas come here.
import type { TSchema } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { describeError } from './compiled-validator.ts'
import type { ArgumentProblem, ArgumentsValidator } from './compiled-validator.ts'

const compiledBySchema = new WeakMap<object, ArgumentsValidator>()

/**
 * The validator of a JSON Schema, compiled on the first call and cached while the schema object lives. Reports every
 * problem. Unknown keywords and formats are ignored, and so is the schema's `$schema`.
 */
export function compileSchema(schema: TSchema): ArgumentsValidator {
  return (args) => {
    const known = compiledBySchema.get(schema)
    if (known !== undefined) return known(args)
    const compiled = compileNow(schema)
    compiledBySchema.set(schema, compiled)
    return compiled(args)
  }
}

function compileNow(schema: TSchema): ArgumentsValidator {
  const { $schema: _, ...plain } = schema // Ajv refuses a draft that it was not built for, whatever keywords the schema uses
  // a new Ajv each time: a shared one would keep every schema for ever
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(plain)
  return (args) => (validate(args) ? [] : (validate.errors ?? []).map(toProblem))
}

function toProblem(error: Parameters<typeof describeError>[0]): ArgumentProblem {
  return { path: error.instancePath, reason: describeError({ ...error, instancePath: '' }).replace(/^it /, '') }
}
