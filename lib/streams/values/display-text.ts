// Prepares text for display: one line, a limited length, no hidden characters.
// It makes one bounded line for lists, and removes characters that act on the screen or hide.
import { firstUnits, lastUnits } from './truncate.ts'

/** UTF-16 units of a line in a list. */
const defaultLength = 80

/**
 * The text's start on one line of at most `limit` units, followed by `…` if there is more. Never splits a character.
 */
export function previewStart(text: string, limit = defaultLength): string {
  const read = firstUnits(text, readFor(limit))
  const line = oneLine(read)
  if (line.length <= limit && !isWord.test(text.slice(read.length))) return line
  return `${firstUnits(line, limit - 1).trimEnd()}…`
}

/** The text's end on one line of at most `limit` units, after a `…` if there is more. */
export function previewEnd(text: string, limit = defaultLength): string {
  const read = lastUnits(text, readFor(limit))
  const line = oneLine(read)
  if (line.length <= limit && !isWord.test(text.slice(0, text.length - read.length))) return line
  return `…${lastUnits(line, limit - 1).trimStart()}`
}

const isWord = /\S/

/** How much of a text is read for its words: room for much white space. */
function readFor(limit: number): number {
  return limit * 4 + 1_000
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/**
 * Joiners that change what the reader sees: between the pictures of one emoji, after a virama, between Arabic letters
 * (docs/decisions/0669).
 */
const joiner = [
  /\u200d(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?\u200d)(?=\p{Extended_Pictographic})/u,
  /[\u200c\u200d](?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca][\u200c\u200d])/u,
  /\u200c(?<=[\p{Script=Arabic}\p{Script=Syriac}]\p{Mn}?\u200c)(?=[\p{Script=Arabic}\p{Script=Syriac}])/u,
]
  .map(({ source }) => source)
  .join('|')

/**
 * Controls (C0 but line feed and tab, C1), format characters (bidi, zero-width, tags), private use and everything else
 * that Unicode gives no glyph. Variation selectors 1–16 stay: emoji need them, and they show nothing else.
 */
export const activeCharacters = new RegExp(
  String.raw`(?!\n|\t|[\ufe00-\ufe0f]|${joiner})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}]|\p{Cs}`,
  'gu',
)

/**
 * The text with such characters made visible: `␛` for escape, `<U+202E>` for others. Line feed and tab stay
 * (docs/design/security.md#S19).
 */
export function showActiveCharacters(text: string): string {
  return text.replace(activeCharacters, pictureCharacter)
}

function pictureCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}
