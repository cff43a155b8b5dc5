// Finds a text that is in a file except for trailing blanks, quotes, dashes and Unicode forms.
// Guarantees: a match is unique, and its ends fall between whole characters of the file.
import { commonPrefixLength, commonSuffixLength } from './common-length.ts'

export interface LenientMatch {
  readonly start: number
  readonly end: number
  /** The differing part: what old and new text begin and end with alike stays as it is in the file. */
  readonly changeStart: number
  readonly changeEnd: number
  readonly replacement: string
}

/** The number of matches stands for more than one. */
export type LenientResult = LenientMatch | { readonly count: number } | undefined

/** @param text with plain line ends, like `wanted` and `replacement` */
export function findLenientMatch(text: string, wanted: string, replacement: string): LenientResult {
  const sought = normalText(wanted)
  if (sought.text.trim() === '') return undefined
  const file = normalText(text)
  const at = file.text.indexOf(sought.text)
  if (at === -1) return undefined
  if (file.text.includes(sought.text, at + 1)) return { count: 2 }
  const until = at + sought.text.length
  // a blank that ends the wanted text is a trailing blank only if a line ends there
  if (/[^\S\n]$/.test(wanted) && until < file.text.length && file.text[until] !== '\n') return undefined
  const [start, end] = [file.toRaw(at), file.toRaw(until)]
  if (start === undefined || end === undefined) return undefined
  // what is alike stays as far as it ends between characters of the file
  const positionOf = (index: number): number | undefined => {
    const normal = sought.fromRaw(index)
    return normal === undefined ? undefined : file.toRaw(at + normal)
  }
  let head = commonPrefixLength(wanted, replacement)
  while (head > 0 && positionOf(head) === undefined) head -= 1
  let tail = commonSuffixLength(wanted.slice(head), replacement.slice(head))
  while (tail > 0 && positionOf(wanted.length - tail) === undefined) tail -= 1
  const changeStart = head === 0 ? start : (positionOf(head) ?? start)
  const changeEnd = tail === 0 ? end : (positionOf(wanted.length - tail) ?? end)
  return { start, end, changeStart, changeEnd, replacement: replacement.slice(head, replacement.length - tail) }
}

/** A text in its normal form, with the way back to the text itself. */
interface NormalText {
  readonly text: string
  /**
   * The position in the text, before trailing blanks; undefined within what became one character, or of one that became
   * several.
   */
  toRaw(index: number): number | undefined
  /** The position in the normal form; undefined as above, and within trailing blanks. */
  fromRaw(index: number): number | undefined
}

function normalText(raw: string): NormalText {
  const lines = raw.split('\n')
  // no character joins with a line feed, so all lines can be normalised at once
  const normal = normalForm(raw)
    .split('\n')
    .map((line) => line.trimEnd())
  const rawStarts = startsOf(lines)
  const normalStarts = startsOf(normal)
  const convert = (index: number, from: readonly number[], to: readonly number[], side: 0 | 1): number | undefined => {
    const line = lineAt(from, index)
    const column = index - (from[line] ?? 0)
    const boundary = boundaries(lines[line] ?? '', normal[line] ?? '').find((pair) => pair[side] === column)
    return boundary === undefined ? undefined : (to[line] ?? 0) + boundary[side === 0 ? 1 : 0]
  }
  return {
    text: normal.join('\n'),
    toRaw: (index) => convert(index, normalStarts, rawStarts, 1),
    fromRaw: (index) => convert(index, rawStarts, normalStarts, 0),
  }
}

function startsOf(lines: readonly string[]): readonly number[] {
  let position = 0
  return lines.map((line) => {
    const start = position
    position += line.length + 1
    return start
  })
}

/** The line that a position is in; its end is still in it. */
function lineAt(starts: readonly number[], index: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((starts[middle] ?? Infinity) <= index) low = middle
    else high = middle - 1
  }
  return low
}

/** The columns, in the line and in its normal form, between which a character with its marks stands. */
function boundaries(raw: string, normal: string): readonly (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [[0, 0]]
  let rawColumn = 0
  let normalColumn = 0
  for (const [character] of raw.matchAll(/\P{M}\p{M}*|\p{M}+/gu)) {
    rawColumn += character.length
    const form = normalForm(character)
    if (!normal.startsWith(form, normalColumn)) break // trailing blanks, or characters that join
    normalColumn += form.length
    found.push([rawColumn, normalColumn])
  }
  return found
}

const isPlain = /^[\0-\x7f]*$/ // its own normal form

function normalForm(text: string): string {
  if (isPlain.test(text)) return text
  return text
    .normalize('NFKC')
    .replaceAll(/[\u2018-\u201b]/g, "'")
    .replaceAll(/[\u201c-\u201f]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
}
