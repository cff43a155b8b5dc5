// Applies edits of whole lines to a text: all to the original lines, so that none moves another.
import { FileProblem } from '../../shared/file-problem.ts'
import type { LineEnd, LineIndex } from './text-lines.ts'

/** An edit whose place in the present file is certain. */
export interface PlacedEdit {
  /** Index in the call. */
  readonly index: number
  /** The first removed line, or the line before which the new ones come; from 0, the number of lines is the end. */
  readonly start: number
  readonly removed: number
  readonly lines: readonly string[]
}

export interface AppliedLineEdits {
  readonly content: string
  /** The new lines of each edit in the new content, in its order; a range without lines is a deletion. */
  readonly changes: readonly { readonly start: number; readonly count: number }[]
  /** For a diff: the parts around all changes, and how many lines precede them. */
  readonly before: string
  readonly after: string
  readonly skippedLines: number
}

const context = 3

/**
 * New lines end as the lines at their place do. A file without a final line end keeps it so.
 * @throws FileProblem if edits overlap
 */
export function applyLineEdits(lines: LineIndex, edits: readonly PlacedEdit[]): AppliedLineEdits {
  // an insertion comes before the removal of the line that it precedes
  const ordered = edits.toSorted(
    (one, other) =>
      one.start - other.start || Number(one.removed > 0) - Number(other.removed > 0) || one.index - other.index,
  )
  refuseOverlaps(ordered)
  const pieces: string[] = []
  const changes: { start: number; count: number }[] = []
  let done = 0 // lines of the original
  let written = 0 // lines of the result
  let endsLine = true
  const keep = (until: number): void => {
    if (until <= done) return
    pieces.push(lines.content.slice(lines.start(done), lines.start(until)))
    written += until - done
    endsLine = lines.end(until - 1) !== ''
    done = until
  }
  for (const { start, removed, lines: added } of ordered) {
    keep(start)
    const last = start + removed === lines.count ? lastEnd(lines) : undefined
    if (added.length > 0) {
      const end = usualEnd(lines, start)
      const text = added.join(end)
      pieces.push(endsLine ? '' : end, text, last ?? end)
      endsLine = (last ?? end) !== ''
    }
    changes.push({ start: written, count: added.length })
    written += added.length
    done = start + removed
  }
  keep(lines.count)
  const content = pieces.join('')
  return { content, changes, ...surroundings(lines, ordered, content) }
}

/** How the file's last line ends; a new file's last line ends with `\n`. */
function lastEnd(lines: LineIndex): LineEnd {
  return lines.count === 0 ? '\n' : lines.end(lines.count - 1)
}

/** The line end at a place: that of the line there, of one of the two lines before, or `\n`. */
function usualEnd(lines: LineIndex, line: number): LineEnd {
  for (const near of [line, line - 1, line - 2]) {
    const end = near >= 0 && near < lines.count ? lines.end(near) : ''
    if (end !== '') return end
  }
  return '\n'
}

function refuseOverlaps(ordered: readonly PlacedEdit[]): void {
  let furthest: PlacedEdit | undefined
  for (const edit of ordered) {
    if (furthest !== undefined && edit.start < furthest.start + furthest.removed) {
      const names = [furthest.index, edit.index].toSorted((one, other) => one - other).map((index) => `edits[${index}]`)
      throw new FileProblem(`${names.join(' and ')} overlap; nothing was changed. Join them to one edit.`)
    }
    if (edit.removed > 0) furthest = edit
  }
}

function surroundings(
  lines: LineIndex,
  ordered: readonly PlacedEdit[],
  content: string,
): Pick<AppliedLineEdits, 'before' | 'after' | 'skippedLines'> {
  const first = ordered[0]?.start ?? 0
  const last = Math.max(0, ...ordered.map(({ start, removed }) => start + removed))
  const from = Math.max(0, Math.min(first, lines.count - 1) - context)
  const until = Math.min(lines.count, last + context)
  const start = lines.count === 0 ? 0 : lines.start(from)
  const tail = lines.content.length - lines.start(until)
  const plain = (text: string): string => text.replaceAll('\r\n', '\n')
  return {
    before: plain(lines.content.slice(start, lines.content.length - tail)),
    after: plain(content.slice(start, content.length - tail)),
    skippedLines: from,
  }
}
