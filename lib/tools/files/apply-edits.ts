// Applies edits to a text.
// Guarantees: all are found in the original text first, so that none matches another's output.
import { commonPrefixLength, commonSuffixLength } from './common-length.ts'
import type { EditParameters } from '../shared/parameters.ts'
import { FileProblem } from '../shared/file-problem.ts'
import { findLenientMatch } from './lenient-match.ts'
import { describeNearest } from '../shared/nearest-text.ts'

export interface AppliedEdits {
  /** The new content; line ends outside of the edits stay, those inside follow the first line of the edit. */
  readonly content: string
  /** Counted from 1, in the new content. */
  readonly firstChangedLine: number
  /** The lines around all changes, with plain line ends, for a diff. */
  readonly before: string
  readonly after: string
  readonly skippedLines: number
  /** A sentence that says which edits matched leniently. Absent: all matched exactly. */
  readonly leniency?: string
}

type Edit = EditParameters['edits'][number]

interface Match {
  /** Index in the list of edits. */
  readonly edit: number
  /** Match positions in the plain text. */
  readonly start: number
  readonly end: number
  /** The differing part: common beginnings and ends of old and new text stay untouched. */
  readonly changeStart: number
  readonly changeEnd: number
  readonly replacement: string
  readonly isLenient?: boolean
}

const maxListedLines = 10
const context = 3

/**
 * Replaces each `oldText` by its `newText`. All line ends count as equal; a text that does not match exactly may match
 * once apart from trailing blanks, quotes, dashes and Unicode forms.
 * @param original without a byte order mark
 * @throws FileProblem for an edit that is empty, changes nothing, matches never or more than once, or overlaps another
 */
export function applyEdits(original: string, edits: readonly Edit[], path: string): AppliedEdits {
  const lines = plainLines(original)
  const matches = edits
    .map((edit, index) => findEdit(lines.text, edit, describeEdit(index, edits.length), path, index))
    .sort((one, other) => one.start - other.start)
  refuseOverlaps(matches, edits.length)
  const pieces: string[] = []
  let position = 0
  for (const { start, changeStart, changeEnd, replacement } of matches) {
    pieces.push(original.slice(position, lines.toOriginal(changeStart)))
    pieces.push(replacement.replaceAll('\n', lines.endingAt(start)))
    position = lines.toOriginal(changeEnd)
  }
  pieces.push(original.slice(position))
  return { content: pieces.join(''), ...surroundings(lines, matches), ...describeLeniency(matches, edits.length) }
}

function findEdit(text: string, { oldText, newText }: Edit, name: string, path: string, edit: number): Match {
  const wanted = oldText.replaceAll('\r\n', '\n')
  const replacement = newText.replaceAll('\r\n', '\n')
  if (wanted === '') throw new FileProblem(`${name} is empty; to create a file or fill an empty one, use write.`)
  if (wanted === replacement) throw new FileProblem(`${name} and its newText are the same: nothing would change.`)
  const found = findOccurrences(text, wanted)
  const [start] = found
  if (start === undefined) return findLeniently({ text, wanted, replacement, name, path, edit })
  if (found.length > 1) {
    throw new FileProblem(
      `${name} is in ${path} ${found.length > maxListedLines ? 'many' : found.length} times, at lines ${listLines(text, found)}; ` +
        'nothing was changed. Make it unique with more of the text around it.',
    )
  }
  const head = commonPrefixLength(wanted, replacement)
  const tail = commonSuffixLength(wanted.slice(head), replacement.slice(head))
  const end = start + wanted.length
  return {
    edit,
    start,
    end,
    changeStart: start + head,
    changeEnd: end - tail,
    replacement: replacement.slice(head, replacement.length - tail),
  }
}

interface Sought {
  readonly text: string
  readonly wanted: string
  readonly replacement: string
  readonly name: string
  readonly path: string
  readonly edit: number
}

/** @throws FileProblem unless it matches once, apart from trailing blanks, quotes, dashes and Unicode forms */
function findLeniently({ text, wanted, replacement, name, path, edit }: Sought): Match {
  const found = findLenientMatch(text, wanted, replacement)
  if (found !== undefined && 'start' in found) return { edit, ...found, isLenient: true }
  const often = found === undefined ? '' : ` Apart from ${lenience} it is there more than once.`
  throw new FileProblem(`${name} is not in ${path}; nothing was changed.${often} ${describeNearest(text, wanted)}`)
}

const lenience = 'trailing blanks, quotes, dashes and Unicode forms'

function describeLeniency(matches: readonly Match[], count: number): Pick<AppliedEdits, 'leniency'> {
  const names = matches.flatMap(({ isLenient, edit }) => (isLenient === true ? [describeEdit(edit, count)] : []))
  if (names.length === 0) return {}
  return { leniency: `${names.join(', ')} did not match exactly, but once apart from ${lenience}.` }
}

/** Match positions, overlapping ones included; at most one more than can be listed. */
function findOccurrences(text: string, wanted: string): readonly number[] {
  const found: number[] = []
  for (let index = text.indexOf(wanted); index !== -1; index = text.indexOf(wanted, index + 1)) {
    found.push(index)
    if (found.length > maxListedLines) break
  }
  return found
}

function listLines(text: string, positions: readonly number[]): string {
  const lines = new Set(positions.slice(0, maxListedLines).map((position) => lineOf(text, position)))
  return [...lines].join(', ') + (positions.length > maxListedLines ? ' …' : '')
}

function refuseOverlaps(matches: readonly Match[], count: number): void {
  matches.forEach((match, index) => {
    const next = matches[index + 1]
    if (next === undefined || next.start >= match.end) return
    const names = [match.edit, next.edit].map((edit) => describeEdit(edit, count)).join(' and ')
    throw new FileProblem(`${names} overlap; nothing was changed. Join them to one edit.`)
  })
}

function surroundings({ text }: PlainLines, matches: readonly Match[]): Omit<AppliedEdits, 'content' | 'leniency'> {
  const first = matches[0]?.changeStart ?? 0
  const last = matches.at(-1)?.changeEnd ?? 0
  const start = lineStartAbove(text, first)
  const end = lineEndBelow(text, last)
  let after = ''
  let position = start
  for (const { changeStart, changeEnd, replacement } of matches) {
    after += text.slice(position, changeStart) + replacement
    position = changeEnd
  }
  return {
    firstChangedLine: lineOf(text, first),
    before: text.slice(start, end),
    after: after + text.slice(position, end),
    skippedLines: lineOf(text, start) - 1,
  }
}

/** Start of the line `context` lines above. */
function lineStartAbove(text: string, position: number): number {
  let start = position
  for (let count = 0; count <= context; count += 1) {
    if (start === 0) return 0
    start = text.lastIndexOf('\n', start - 1)
    if (start === -1) return 0
  }
  return start + 1
}

/** End of the line `context` lines below. */
function lineEndBelow(text: string, position: number): number {
  let end = position
  for (let count = 0; count <= context; count += 1) {
    const newline = text.indexOf('\n', end)
    if (newline === -1) return text.length
    end = newline + 1
  }
  return end
}

function lineOf(text: string, position: number): number {
  let line = 1
  for (let index = text.indexOf('\n'); index !== -1 && index < position; index = text.indexOf('\n', index + 1))
    line += 1
  return line
}

function describeEdit(index: number, count: number): string {
  return count === 1 ? 'oldText' : `edits[${index}].oldText`
}

// Matches text with `\n` only, while each position maps back to the original text.

interface PlainLines {
  /** The text with each `\r\n` as `\n`; a lone `\r` stays. */
  readonly text: string
  /** The original position of a position in `text`: before the `\r` of a line end. */
  toOriginal(index: number): number
  /**
   * The original end of the line at this position; the last line ends like the one before it, a single line with `\n`.
   */
  endingAt(index: number): '\n' | '\r\n'
}

function plainLines(original: string): PlainLines {
  const text = original.replaceAll('\r\n', '\n')
  const shortened = text.length === original.length ? [] : positionsOfShortened(original)
  const before = (index: number): number => countBelow(shortened, index)
  return {
    text,
    toOriginal: (index) => index + before(index),
    endingAt: (index) => {
      const next = text.indexOf('\n', index)
      const newline = next === -1 ? text.lastIndexOf('\n', index) : next
      return newline !== -1 && shortened[before(newline)] === newline ? '\r\n' : '\n'
    },
  }
}

/** Ascending positions, in the plain text, of the `\n` that were `\r\n`. */
function positionsOfShortened(original: string): readonly number[] {
  const positions: number[] = []
  for (let index = original.indexOf('\r\n'); index !== -1; index = original.indexOf('\r\n', index + 2)) {
    positions.push(index - positions.length)
  }
  return positions
}

/** How many of the ascending numbers are below a limit. */
function countBelow(rising: readonly number[], limit: number): number {
  let low = 0
  let high = rising.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rising[middle] ?? Infinity) < limit) low = middle + 1
    else high = middle
  }
  return low
}
