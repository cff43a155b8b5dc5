// Compiles JSON Schemas that are not known at build time.
// It loads Ajv, so only foreign schemas come here.
import type { TSchema } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import type { Options } from 'ajv'
import { describeError } from './compiled-validator.ts'
import { Failure, describeThrown } from '../values/failure.ts'
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

/** Makes the matcher of a `pattern`; Ajv calls it with the flag `u`. */
export type PatternEngine = NonNullable<NonNullable<Options['code']>['regExp']>

/**
 * Compiles a JSON Schema now.
 * @param regExp matches the schema's patterns. Default: JavaScript, which an untrusted pattern can keep busy forever
 * @throws Error if the schema is invalid
 */
export function compileNow(schema: TSchema, regExp?: PatternEngine): ArgumentsValidator {
  const { $schema: _, ...plain } = schema // Ajv refuses a draft that it was not built for, whatever keywords the schema uses
  const code = regExp === undefined ? {} : { code: { regExp } }
  // a new Ajv each time: a shared one would keep every schema forever
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    validateFormats: false,
    messages: false,
    logger: false,
    ...code,
  })
  return problemsBy(compileWith(ajv, plain))
}

/**
 * Compiles a JSON Schema now, for values that get its defaults: the validator writes them into the value that it checks.
 * @throws Failure `bad_request` if the schema is invalid
 */
export function compileWithDefaults(schema: TSchema): ArgumentsValidator {
  const { $schema: _, ...plain } = schema
  const options = { strict: false, allErrors: true, validateFormats: false, messages: false, logger: false } as const
  return problemsBy(compileWith(new Ajv({ ...options, useDefaults: true }), plain))
}

/** Common to Ajv's classes for all drafts. */
type Compiler = Pick<Ajv, 'compile' | 'validateSchema' | 'errors'>

/**
 * @param checker checks the schema by that of its draft, if `ajv` does not
 * @throws Failure `bad_request` with the fault of the schema in words
 */
export function compileWith(ajv: Compiler, schema: object, checker: Compiler = ajv): ReturnType<Compiler['compile']> {
  try {
    if (checker !== ajv && checker.validateSchema(schema) !== true) throw new Error('it does not fit its draft')
    return ajv.compile(schema)
  } catch (cause) {
    const [fault] = checker.validateSchema(schema) === true ? [] : (checker.errors ?? [])
    const reason = fault === undefined ? describeCompileError(cause) : describeError(fault)
    throw new Failure('bad_request', `the schema is not valid: ${reason}`, { cause })
  }
}

function describeCompileError(thrown: unknown): string {
  if (thrown instanceof Ajv.MissingRefError) return `it refers to ${thrown.missingRef}, which it does not define`
  return thrown instanceof SyntaxError ? 'it has an invalid regular expression' : describeThrown(thrown)
}

/** The validator that reports every problem. */
export function problemsBy(validate: ReturnType<Compiler['compile']>): ArgumentsValidator {
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(toProblem))
}

function toProblem(error: Parameters<typeof describeError>[0]): ArgumentProblem {
  return { path: error.instancePath, reason: describeError({ ...error, instancePath: '' }).replace(/^it /, '') }
}
