// Cleans and bounds texts of servers before a person or a model reads them.
import { stripVTControlCharacters } from 'node:util'
import { activeCharacters } from '../../streams/values/display-text.ts'
import { firstUnits } from '../../streams/values/truncate.ts'

const encoder = new TextEncoder()

/** Texts in ASCII without controls, as nearly all are. */
const plain = /^[\x20-\x7e\n\t]*$/

/**
 * A text that describes something: without escape sequences and without characters that act on a screen or hide. Too long a text is
 * cut after a whole line, or within its only line, and ends with `…`.
 */
export function describingText(text: string, maxBytes: number): string {
  if (text.length <= maxBytes && plain.test(text)) return text.trim()
  const read = firstUnits(text, 8 * maxBytes) // characters that are removed do not count
  const clean = stripVTControlCharacters(read).replace(activeCharacters, '').trim()
  const units = encoder.encodeInto(clean, new Uint8Array(maxBytes)).read
  return units < clean.length || read.length < text.length ? `${clean.slice(0, units).trimEnd()}…` : clean
}

/** As `describingText`, on one line. */
export function describingLine(text: string, maxBytes: number): string {
  return describingText(text.replace(/\s+/g, ' '), maxBytes)
}

/** The text of a field that may be anything; undefined if it is no text or has nothing to show. */
export function textField(value: unknown, maxBytes: number): string | undefined {
  const text = typeof value === 'string' ? describingText(value, maxBytes) : ''
  return text === '' ? undefined : text
}

/** Data of a server: escape sequences are removed, as in the output of commands; all other characters stay. */
export function dataText(text: string): string {
  return stripVTControlCharacters(text)
}
