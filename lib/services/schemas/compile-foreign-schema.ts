// Compiles JSON Schemas of clients, files and servers, whose patterns rxpi does not trust.
// Guarantees: a pattern cannot hold the process; a match without a result in time is a problem of the validation.
import type { TSchema } from '@sinclair/typebox'
import { foreignPatterns, patternBudgetMs } from '../../host/patterns/foreign-patterns.ts'
import { compileNow } from '../../streams/schema/compile-schema.ts'
import type { ArgumentsValidator } from '../../streams/schema/compiled-validator.ts'

/** The validator of a foreign schema; compiled on the first call. It reports every problem. */
export function compileForeignSchema(schema: TSchema): ArgumentsValidator {
  const patterns = foreignPatterns()
  let compiled: ArgumentsValidator | undefined
  return (args) => {
    const validate = (compiled ??= compileNow(schema, patterns.engine))
    const { value: problems, slow } = patterns.validate(() => validate(args))
    return [...problems, ...slow.map((pattern) => ({ path: '', reason: slowReason(pattern) }))]
  }
}

const shownLength = 200

function slowReason(pattern: string): string {
  const shown = pattern.length > shownLength ? `${pattern.slice(0, shownLength)}…` : pattern
  return `could not be compared with the form ${shown} within ${patternBudgetMs} ms, which counts as not matched; simplify this pattern of the schema`
}
