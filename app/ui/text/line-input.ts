// Edits one line at its end, for filters and short answers.
import type { KeyPress } from '../keys/key-press.ts'
import { graphemes } from './cell-width.ts'

/** The line after a key press; undefined if the key does not edit it. */
export function editLine(line: string, press: KeyPress): string | undefined {
  if (press.kind !== 'key') return line + press.text.replaceAll(/[\r\n\t]+/g, ' ')
  switch (press.name) {
    case 'backspace':
    case 'shift+backspace':
    case 'ctrl+h':
      return graphemes(line).slice(0, -1).join('')
    case 'ctrl+w':
    case 'alt+backspace':
      return line.replace(/\s*\S+\s*$/u, '')
    case 'ctrl+u':
      return ''
    default:
      return undefined
  }
}
