// Validates by schemas whose patterns rxpi does not trust.
// Guarantees: a pattern cannot hold the process; a match without a result in time is a problem of the validation.
import type { PatternEngine } from '../../streams/schema/compile-schema.ts'
import type { ArgumentsValidator } from '../../streams/schema/compiled-validator.ts'
import { foreignPatterns, patternBudgetMs } from './foreign-patterns.ts'

/** @param compile called with the first validation; it may throw, and is then called again with the next */
export function foreignValidator(compile: (engine: PatternEngine) => ArgumentsValidator): ArgumentsValidator {
  const patterns = foreignPatterns()
  let compiled: ArgumentsValidator | undefined
  return (args) => {
    const validate = (compiled ??= compile(patterns.engine))
    const { value: problems, slow } = patterns.validate(() => validate(args))
    return [...problems, ...slow.map((pattern) => ({ path: '', reason: slowReason(pattern) }))]
  }
}

const shownLength = 200

function slowReason(pattern: string): string {
  const shown = pattern.length > shownLength ? `${pattern.slice(0, shownLength)}…` : pattern
  return `could not be compared with the form ${shown} within ${patternBudgetMs} ms, which counts as not matched; simplify this pattern of the schema`
}
