// Marks the words that differ between a removed line and the added line that replaces it.
import { diffWordsWithSpace } from 'diff'

export interface MarkedPart {
  readonly text: string
  readonly isChanged: boolean
}

/** Longer lines are not compared: the time grows with the square of their differences. */
const lengthLimit = 400
/** Share of common characters below which the lines are two different lines. */
const leastCommon = 0.3

/** The parts of both lines; undefined if they have too little in common, or are too long. */
export function changedWords(
  before: string,
  after: string,
): { readonly before: readonly MarkedPart[]; readonly after: readonly MarkedPart[] } | undefined {
  if (before.length > lengthLimit || after.length > lengthLimit) return undefined
  const parts = diffWordsWithSpace(before, after)
  const common = parts.reduce((sum, { value, added, removed }) => sum + (added || removed ? 0 : value.trim().length), 0)
  if (common < leastCommon * Math.max(before.trim().length, after.trim().length)) return undefined
  return {
    before: parts.flatMap(({ value, added, removed }) => (added ? [] : [{ text: value, isChanged: removed }])),
    after: parts.flatMap(({ value, added, removed }) => (removed ? [] : [{ text: value, isChanged: added }])),
  }
}
