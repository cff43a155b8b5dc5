// What a list shows of a text is one line of bounded length that never ends inside a character.
import { firstUnits, lastUnits } from './truncate.ts'

/** UTF-16 units of a line in a list. */
const shown = 80

/** The text's beginning on one line of at most `limit` units, `…` where there is more. */
export function firstWords(text: string, limit = shown): string {
  const read = firstUnits(text, readFor(limit))
  const line = oneLine(read)
  if (line.length <= limit && !isWord.test(text.slice(read.length))) return line
  return `${firstUnits(line, limit - 1).trimEnd()}…`
}

/** The text's end on one line of at most `limit` units, after a `…` where there is more. */
export function lastWords(text: string, limit = shown): string {
  const read = lastUnits(text, readFor(limit))
  const line = oneLine(read)
  if (line.length <= limit && !isWord.test(text.slice(0, text.length - read.length))) return line
  return `…${lastUnits(line, limit - 1).trimStart()}`
}

const isWord = /\S/

/** How much of a text is looked at for its words: room for a good deal of white space. */
function readFor(limit: number): number {
  return limit * 4 + 1_000
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
