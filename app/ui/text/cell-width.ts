// How many cells of a terminal a text takes: wide characters two, marks on others none.
import { graphemeWidth } from './grapheme-width.ts'

const plain = /^[\u0020-\u007e]*$/
const segmenter = new Intl.Segmenter()

/** Of safe text on one line (`terminalSafe`), without escape sequences. */
export function cellWidth(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += graphemeWidth(segment)
  return width
}

/** The characters as people see them. */
export function graphemes(text: string): string[] {
  return plain.test(text) ? text.split('') : Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** The text's beginning, of at most so many cells; `…` stands for what is left out. */
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
