// How many cells of a terminal a text takes: wide characters two, marks on others none.

const plain = /^[\u0020-\u007e]*$/
const segmenter = new Intl.Segmenter()

/** What Unicode calls wide or full-width, and emoji that are drawn as pictures. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]|\p{Emoji}\ufe0f/u
const invisible = /^[\p{Mn}\p{Me}\p{Cf}\ufe0f]+$/u

/** Of safe text on one line (`terminalSafe`), without escape sequences. */
export function cellWidth(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += graphemeWidth(segment)
  return width
}

/** Of one character as people see it. */
export function graphemeWidth(grapheme: string): number {
  if (wide.test(grapheme)) return 2
  return invisible.test(grapheme) ? 0 : 1
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
