// Counts ids instead of drawing them at random: a run has the same ids each time.
import type { Ids } from '../streams/values/identifiers.ts'

/** Ids `aaaaaaab`, `aaaaaaac` … of the right length, all from one counter. They fit the patterns of real ids. */
export function countedIds(): Ids {
  let count = 0
  const next = (length: number) => (): string => lettersOf(++count).padStart(length, 'a')
  return { session: next(12), short: next(8), request: next(26) }
}

/** The number in base 26, `a` = 0. */
function lettersOf(number: number): string {
  const rest = Math.floor(number / 26)
  const last = String.fromCharCode(97 + (number % 26))
  return rest === 0 ? last : lettersOf(rest) + last
}
