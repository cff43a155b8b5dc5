// Removes everything from a line of a surface but text, colours and the cursor marker.
// Guarantees: no other control, C1, bidi, zero-width or tag character is left (docs/design/security.md#S19).
import { activeCharacters } from '../values/display-text.ts'

/** Stands before the cell where the terminal's cursor belongs; one in a surface at most. pi-tui writes the same. */
export const cursorMarker = '\u001b_pi:c\u0007'

const csi = '[\\u0030-\\u003f]*[\\u0020-\\u002f]*'
/** Escape sequences and control strings, whole; an unfinished one goes to the end of the line. */
const sequences = new RegExp(
  [
    `(?:\\u001b\\[|\\u009b)${csi}[\\u0040-\\u007e]?`,
    '(?:\\u001b[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])[^\\u0007\\u001b\\u009c]*(?:\\u0007|\\u009c|\\u001b\\\\|(?=\\u001b)|$)',
    '\\u001b[\\u0020-\\u002f]*(?:[\\u0030-\\u007e]|$)',
  ].join('|'),
  'gu',
)
/** `CSI … m` with numbers alone: `CSI > … m` sets modes of the keyboard. */
const colour = /^\u001b\[[0-9;:]*m$/
const hidden = new RegExp(`[\\n\\t]|${activeCharacters.source}`, 'gu')
const reset = '\u001b[0m'

/** The safe line; colours end with it. A tab becomes spaces; a line feed, as other controls, is removed. */
export function surfaceLine(line: string): string {
  let safe = ''
  let from = 0
  let isColoured = false
  for (const { 0: sequence, index } of line.matchAll(sequences)) {
    safe += plain(line.slice(from, index))
    from = index + sequence.length
    if (colour.test(sequence)) {
      safe += sequence
      isColoured = true
    } else if (sequence === cursorMarker && !safe.includes(cursorMarker)) safe += cursorMarker
  }
  safe += plain(line.slice(from))
  return isColoured && !safe.endsWith(reset) ? `${safe}${reset}` : safe
}

function plain(text: string): string {
  return text.replaceAll('\t', '    ').replace(hidden, '')
}
