// Checks whether an answer is a JSON document of the requested schema.
// Loads Ajv, so only runs with a schema import it.
import type { TSchema } from '@sinclair/typebox'
import { compileSchema } from '../schema/compile-schema.ts'
import type { ArgumentsValidator } from '../schema/compiled-validator.ts'
import { Failure, describeThrown } from '../values/failure.ts'
import type { OutputSchema } from './output-schema.ts'
import { describeJsonFault } from '../values/json-fault.ts'

/** The document, or a reason that a model can act on. */
export type CheckedOutput =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string }

const maxProblems = 10

/**
 * Compiles the check of a schema. An answer may stand in one code fence.
 * @param compile compiles the schema. Default: with JavaScript's own regular expressions
 * @throws Failure `bad_request` if the schema is invalid
 */
export function outputCheck(
  schema: OutputSchema,
  compile: (schema: TSchema) => ArgumentsValidator = compileSchema,
): (answer: string) => CheckedOutput {
  const validate = compile(schema as TSchema)
  try {
    validate(null)
  } catch (error) {
    throw new Failure('bad_request', describeThrown(error))
  }
  return (answer) => {
    const parsed = parseDocument(answer)
    if (!parsed.ok) return parsed
    const problems = validate(parsed.value)
    if (problems.length === 0) return parsed
    const listed = problems.slice(0, maxProblems).map(({ path, reason }) => `${path === '' ? 'it' : path} ${reason}`)
    const more = problems.length > maxProblems ? [`and ${problems.length - maxProblems} more`] : []
    return { ok: false, problem: [...listed, ...more].join('; ') }
  }
}

/** Linear in the blanks, even in a fence that is never closed: the answer is untrusted. */
function parseDocument(answer: string): CheckedOutput {
  const text = /^```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```$/.exec(answer.trim())?.[1] ?? answer.trim()
  if (text === '') return { ok: false, problem: 'the answer is empty' }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false, problem: describeJsonFault(text).replace(/^it/, 'the answer') }
  }
}
