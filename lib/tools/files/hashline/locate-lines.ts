// Finds the lines of a shown version in the present file, if the file has changed since.
// Guarantees: a place is returned only if it is certain. The lines, their neighbours and everything up to a line that
// occurs once in both versions must be unchanged; a guess among equal lines is never made.
import type { LineIndex } from './text-lines.ts'

/** An edit in the lines of a shown version, from 0. */
export interface LineEdit {
  /** Index in the call. */
  readonly index: number
  readonly op: 'replace' | 'append' | 'prepend'
  /** The lines of the anchors; equal if there is one. */
  readonly first: number
  readonly last: number
  readonly lines: readonly string[]
}

export interface VersionPair {
  readonly shown: LineIndex
  readonly present: LineIndex
  /** The line of the present file with this text, if the text occurs once in both versions. */
  landmark(line: number): number | undefined
  /** True if the text of a shown line occurs as often in the present file. */
  isSameCount(line: number): boolean
}

export function versionPair(shown: LineIndex, present: LineIndex): VersionPair {
  let tables: readonly [OccurrenceTable, OccurrenceTable] | undefined
  const occurrences = (line: number): readonly [Occurrences | undefined, Occurrences | undefined] => {
    tables ??= [countLines(shown), countLines(present)]
    const text = shown.text(line)
    return [tables[0].get(text), tables[1].get(text)]
  }
  return {
    shown,
    present,
    landmark: (line) => {
      const [before, now] = occurrences(line)
      return before?.count === 1 && now?.count === 1 ? now.first : undefined
    },
    isSameCount: (line) => {
      const [before, now] = occurrences(line)
      return before?.count === now?.count
    },
  }
}

/** The first line of the edit's range in the present file; undefined if it is not certain. */
export function locateLines({ first, last }: LineEdit, pair: VersionPair): number | undefined {
  const { shown, present, landmark, isSameCount } = pair
  const top = landmark(first) === undefined ? nearestLandmark(pair, first - 1, -1) : first - 1
  const bottom = landmark(last) === undefined ? nearestLandmark(pair, last + 1, 1) : last + 1
  // the edge of the file is a weaker sign than a line: an equal line that was added there would be taken
  if (top < 0 && landmark(first) === undefined && !isSameCount(first)) return undefined
  if (bottom >= shown.count && landmark(last) === undefined && !isSameCount(last)) return undefined
  const reference = [first, last, top, bottom].find((line) => isLine(shown, line) && landmark(line) !== undefined)
  const offset = reference === undefined ? 0 : (landmark(reference) ?? reference) - reference
  for (let line = top; line <= bottom; line += 1) if (!isSameLine(shown, line, present, line + offset)) return undefined
  return first + offset
}

/** The nearest landmark in a direction, or the place before the first or after the last line. */
export function nearestLandmark({ shown, landmark }: VersionPair, from: number, step: 1 | -1): number {
  let line = from
  while (isLine(shown, line) && landmark(line) === undefined) line += step
  return line
}

/** Before the first line and after the last one there is nothing, in both versions. */
function isSameLine(one: LineIndex, line: number, other: LineIndex, otherLine: number): boolean {
  if (line < 0 || otherLine < 0) return line < 0 && otherLine < 0
  if (line >= one.count || otherLine >= other.count) return line >= one.count && otherLine >= other.count
  return one.text(line) === other.text(otherLine)
}

function isLine({ count }: LineIndex, line: number): boolean {
  return line >= 0 && line < count
}

interface Occurrences {
  readonly first: number
  readonly count: number
}

type OccurrenceTable = ReadonlyMap<string, Occurrences>

/** Where each text occurs first, and how often. */
function countLines(lines: LineIndex): OccurrenceTable {
  const found = new Map<string, { readonly first: number; count: number }>()
  for (let line = 0; line < lines.count; line += 1) {
    const text = lines.text(line)
    const known = found.get(text)
    if (known === undefined) found.set(text, { first: line, count: 1 })
    else known.count += 1
  }
  return found
}
