// What a list shows of a text is one line of bounded length that never ends inside a character.
import { lastUnits } from './truncate.ts'

/** UTF-16 units of a line in a list. */
const shown = 80

/** The text's beginning on one line, `…` where there is more. */
export function firstWords(text: string, limit = shown): string {
  const line = oneLine(text.slice(0, limit * 4 + 1_000))
  return line.length <= limit ? line : `${whole(line.slice(0, limit - 1)).trimEnd()}…`
}

/** The text's end on one line, after a `…` where there is more. */
export function lastWords(text: string, limit = shown): string {
  const line = oneLine(lastUnits(text, limit * 4 + 1_000))
  return line.length <= limit ? line : `…${lastUnits(line, limit - 1).trimStart()}`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Without the first half of a surrogate pair at the end. */
function whole(text: string): string {
  return (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800 ? text.slice(0, -1) : text
}
