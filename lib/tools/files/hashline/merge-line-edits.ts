// Merges edits of a shown version with the file's later changes (docs/decisions/0282-node-diff3.md).
// Guarantees: the merge has no conflict, is the same in both directions, and no end of an edit has an equal line near.
import type { PlacedEdit } from './apply-line-edits.ts'
import type { LineIndex } from './text-lines.ts'
import { nearestLandmark } from './locate-lines.ts'
import type { LineEdit, VersionPair } from './locate-lines.ts'

const maxLines = 2_000

/** One edit of the present file that has the effect of all; undefined if it is not certain. */
export async function mergeLineEdits(edits: readonly LineEdit[], pair: VersionPair): Promise<PlacedEdit | undefined> {
  const window = areApart(edits) ? commonWindow(edits, pair) : undefined
  if (window === undefined) return undefined
  const base = wholeLines(pair.shown, window.shown)
  const theirs = wholeLines(pair.present, window.present)
  const ends = edits.flatMap(({ first, last }) => [first, last])
  if (!ends.every((line) => pair.isSameCount(line) && isCertain(line - window.shown.from, base, theirs)))
    return undefined
  const ours = editLines(base, edits, window.shown.from)
  const { diff3Merge } = await import('node-diff3') // only edits of changed files pay for it
  const merge = (...sides: readonly (readonly string[])[]): readonly string[] | undefined => {
    const [mine = [], original = [], other = []] = sides
    const regions = diff3Merge([...mine], [...original], [...other], { excludeFalseConflicts: false })
    return regions.some(({ ok }) => ok === undefined) ? undefined : regions.flatMap(({ ok = [] }) => ok)
  }
  const merged = merge(ours, base, theirs)
  const mirrored = merge(ours.toReversed(), base.toReversed(), theirs.toReversed())?.toReversed()
  if (merged === undefined || mirrored === undefined || merged.join('') !== mirrored.join('')) return undefined
  return differingPart(theirs, merged, window.present.from)
}

/** False if two edits have a line in common. */
function areApart(edits: readonly LineEdit[]): boolean {
  const ordered = edits.toSorted((one, other) => one.first - other.first)
  return ordered.every((edit, index) => edit.first > (ordered[index - 1]?.last ?? -1))
}

interface Range {
  /** From 0; the last line is included. */
  readonly from: number
  readonly to: number
}

/** The lines around all edits up to lines that occur once in both versions. */
function commonWindow(
  edits: readonly LineEdit[],
  pair: VersionPair,
): { readonly shown: Range; readonly present: Range } | undefined {
  const { shown, present, landmark } = pair
  const top = nearestLandmark(pair, Math.min(...edits.map(({ first }) => first)) - 1, -1)
  const bottom = nearestLandmark(pair, Math.max(...edits.map(({ last }) => last)) + 1, 1)
  const positionOf = (line: number): number =>
    line < 0 ? 0 : line >= shown.count ? present.count - 1 : (landmark(line) ?? -1)
  const range = { from: Math.max(top, 0), to: Math.min(bottom, shown.count - 1) }
  const target = { from: positionOf(top), to: positionOf(bottom) }
  const isUsable = target.from <= target.to && range.to - range.from < maxLines && target.to - target.from < maxLines
  return isUsable ? { shown: range, present: target } : undefined
}

/** The lines with their ends: a file whose line ends were converted merges with nothing. */
function wholeLines(lines: LineIndex, { from, to }: Range): readonly string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => lines.text(from + index) + lines.end(from + index))
}

/** The line occurs once in both parts, between the same neighbours. */
function isCertain(line: number, base: readonly string[], theirs: readonly string[]): boolean {
  const text = base[line]
  if (text?.endsWith('\n') !== true || !isOnce(base, text) || !isOnce(theirs, text)) return false
  const index = theirs.indexOf(text)
  return base[line - 1] === theirs[index - 1] && base[line + 1] === theirs[index + 1]
}

function isOnce(lines: readonly string[], line: string): boolean {
  return lines.includes(line) && lines.indexOf(line) === lines.lastIndexOf(line)
}

function editLines(base: readonly string[], edits: readonly LineEdit[], from: number): readonly string[] {
  const lines = [...base]
  for (const { op, first, last, lines: added } of edits.toSorted((one, other) => other.first - one.first)) {
    const end = base[first - from]?.endsWith('\r\n') === true ? '\r\n' : '\n'
    const start = op === 'append' ? last + 1 : first
    lines.splice(start - from, op === 'replace' ? last - first + 1 : 0, ...added.map((line) => line + end))
  }
  return lines
}

/** The merge as an edit of the present lines: without the lines that both have at the beginning and at the end. */
function differingPart(before: readonly string[], after: readonly string[], from: number): PlacedEdit {
  const limit = Math.min(before.length, after.length)
  let head = 0
  while (head < limit && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < limit - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  const lines = after.slice(head, after.length - tail).map((line) => line.replace(/\r?\n$/, ''))
  return { index: 0, start: from + head, removed: before.length - head - tail, lines }
}
