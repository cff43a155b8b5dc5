// Measures and cuts text in terminal cells: wide characters take two, combining marks none.
import { graphemeWidth } from './grapheme-width.ts'

const plain = /^[\u0020-\u007e]*$/
const segmenter = new Intl.Segmenter()

/** For safe text on one line (`terminalSafe`), without escape sequences. */
export function cellWidth(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += graphemeWidth(segment)
  return width
}

/** Splits into user-perceived characters. */
export function graphemes(text: string): string[] {
  return plain.test(text) ? text.split('') : Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Cuts the text to a number of cells; `…` marks the cut. */
export function cutToWidth(text: string, columns: number): string {
  if (cellWidth(text) <= columns) return text
  let shown = ''
  let width = 0
  for (const grapheme of graphemes(text)) {
    width += graphemeWidth(grapheme)
    if (width > columns - 1) break
    shown += grapheme
  }
  return columns < 1 ? '' : `${shown}…`
}
