// Shows lines with fresh anchors in a result: around what an edit changed, or where it was refused.
import type { LineIndex } from './text-lines.ts'
import { showLines } from './read-hashes.ts'
import type { EditProblem } from './resolve-edits.ts'
import type { ShownVersion } from './shown-versions.ts'

const maxBytes = 8_000
const maxRangeLines = 24

interface Range {
  /** From 0; `until` is not included. */
  readonly from: number
  readonly until: number
}

/** The changed lines and one on each side. */
export function showChanges(
  lines: LineIndex,
  version: ShownVersion,
  changes: readonly { readonly start: number; readonly count: number }[],
): string {
  const ranges = changes.map(({ start, count }) => ({ from: start - 1, until: start + count + 1 }))
  return showRanges(lines, version, ranges)
}

interface PresentLines {
  /** The number of edits of the call. */
  readonly count: number
  readonly lines: LineIndex
  readonly version: ShownVersion
}

/** Why nothing was changed, and the present lines there. */
export function describeProblems(
  path: string,
  problems: readonly EditProblem[],
  { count, lines, version }: PresentLines,
): string {
  const reasons = problems.map(({ index, reason }) => (count === 1 ? reason : `edits[${index}]: ${reason}`)).join('; ')
  const last = Math.max(0, lines.count - 1)
  const ranges = problems.map(({ near }) => ({ from: Math.min(near, last) - 4, until: Math.min(near, last) + 8 }))
  const shown = showRanges(lines, version, ranges)
  const present =
    shown === '' ? 'The file is empty; append without pos.' : `The lines now, with fresh anchors:\n${shown}`
  return `Nothing was changed in ${path}: ${reasons}.\n${present}`
}

function showRanges(lines: LineIndex, version: ShownVersion, ranges: readonly Range[]): string {
  const parts: string[] = []
  let shownUntil = 0
  let left = maxBytes
  for (const range of ranges.toSorted((one, other) => one.from - other.from)) {
    const from = Math.max(range.from, shownUntil)
    const count = Math.min(range.until, lines.count) - from
    if (count <= 0) continue
    const shown = showLines(lines, version, from, Math.min(count, maxRangeLines), left)
    if (from > shownUntil) parts.push('…')
    parts.push(...shown)
    left -= shown.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
    shownUntil = from + shown.length
    if (shown.length < count) parts.push('[read with hashes shows the rest]')
  }
  return parts.join('\n')
}
