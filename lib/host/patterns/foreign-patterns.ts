// Matches the regular expressions of schemas that rxpi does not trust.
// Guarantees: a validation holds the calling thread for about 100 ms at most, whatever pattern and text are.
import { linearPattern } from './linear-pattern.ts'
import type { LinearPattern } from './linear-pattern.ts'
import { matchInWorker, startPatternWorker } from './pattern-worker.ts'

/** Milliseconds that all matches of one validation may take in the worker. */
export const patternBudgetMs = 100

/** Program steps × characters that one validation matches without the worker: 100 ms or less. */
const linearWork = 10_000_000

/** After so many missed deadlines a pattern is not tried again. */
const maxMisses = 3

export interface ForeignPatterns {
  /** The engine for Ajv's option `code.regExp`. @throws SyntaxError if the pattern is invalid */
  readonly engine: { (pattern: string, flags: string): { test(text: string): boolean }; readonly code: string }
  /** Runs a validation and returns its value, and the patterns whose match took too long: they count as unmatched. */
  validate<Value>(run: () => Value): { readonly value: Value; readonly slow: readonly string[] }
}

/** The patterns of one schema. */
export function foreignPatterns(): ForeignPatterns {
  const slow = new Set<string>()
  const misses = new Map<string, number>()
  let leftMs = patternBudgetMs
  let leftWork = linearWork
  const matchElsewhere = (pattern: string, text: string): boolean => {
    const missed = misses.get(pattern) ?? 0
    if (leftMs <= 0 || missed >= maxMisses) {
      slow.add(pattern) // not a miss of its own: an earlier match took the time
      return false
    }
    const { matched, tookMs } = matchInWorker(pattern, text, leftMs)
    leftMs -= tookMs
    misses.set(pattern, matched === undefined ? missed + 1 : 0)
    if (matched === undefined) slow.add(pattern)
    return matched ?? false
  }
  const matchHere = ({ test, size }: LinearPattern, text: string): boolean => {
    leftWork -= size * text.length
    return test(text)
  }
  const compile = (pattern: string): { toString(): string; test(text: string): boolean } => {
    new RegExp(pattern, 'u') // throws if it is invalid; compiling takes linear time
    const linear = linearPattern(pattern)
    if (linear === undefined) startPatternWorker()
    return {
      toString: () => pattern, // Ajv uses one matcher for all patterns with the same text
      test: (text) =>
        linear !== undefined && linear.size * text.length <= leftWork
          ? matchHere(linear, text)
          : matchElsewhere(pattern, text),
    }
  }
  return {
    engine: Object.assign(compile, { code: 'foreignPatterns' }),
    validate: (run) => {
      leftMs = patternBudgetMs
      leftWork = linearWork
      slow.clear()
      return { value: run(), slow: [...slow] }
    },
  }
}
