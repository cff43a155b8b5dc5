// No text of a model, tool, file or title reaches a terminal with characters that act on it or hide in it (docs/design/security.md#S19).
import { activeCharacters, removeActiveCharacters } from '../../lib/streams/values/display-text.ts'

/** The text with such characters made visible. */
export const terminalSafe = removeActiveCharacters

/** The same for JSON text: the characters are written as `\uXXXX`, so that it stays the same JSON value. */
export function terminalSafeJson(json: string): string {
  return json.replace(activeCharacters, escaped)
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => unit(character.charCodeAt(index))).join('')
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}
