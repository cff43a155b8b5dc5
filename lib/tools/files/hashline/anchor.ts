// Writes and reads the anchors of lines: `N#hash`, whose hash names the version and checks the line.

/** The number of characters of a version's id within the hash. */
export const versionLength = 3
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz' // no i, l, o, u: they are easily misread
const checkLength = 2

export interface Anchor {
  /** As the model wrote it, without the text. */
  readonly written: string
  /** From 0. */
  readonly line: number
  readonly version: string
  /** Depends on the line's number and text: it reveals a mistyped number. */
  readonly check: string
  /** The text after the hash, if the model repeated it. */
  readonly text?: string
}

/** The anchor of a line of a shown version. @param line from 0 */
export function formatAnchor(version: string, line: number, text: string): string {
  return `${line + 1}#${version}${lineCheck(line, text)}`
}

/** Accepts `12#k7q2f`, and the whole line as `read` shows it. Undefined if it is not an anchor. */
export function parseAnchor(written: string): Anchor | undefined {
  const found = /^\s*(\d{1,9})#([0-9a-z]{3})([0-9a-z]{2})(?::(.*))?\s*$/is.exec(written)
  if (found === null) return undefined
  const [, number = '', version = '', check = '', text] = found
  if (Number(number) === 0) return undefined
  const hash = { version: version.toLowerCase(), check: check.toLowerCase() }
  const line = Number(number) - 1
  return { written: `${number}#${version}${check}`, line, ...hash, ...(text === undefined ? {} : { text }) }
}

/** Ten bits: a hint that finds slips, never the identity of a line. */
export function lineCheck(line: number, text: string): string {
  let sum = 0x811c9dc5 ^ line
  for (let index = 0; index < text.length; index += 1) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  sum = Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d)
  return encode((sum ^ (sum >>> 13)) >>> 0, checkLength)
}

/** The lowest bits of a number, five a character. */
export function encode(value: number, length: number): string {
  let text = ''
  for (let rest = value, index = 0; index < length; index += 1, rest = Math.floor(rest / 32)) {
    text = (alphabet[rest % 32] ?? '') + text
  }
  return text
}
