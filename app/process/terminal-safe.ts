// Makes control and hidden characters visible in untrusted text (docs/design/security.md#S19).
import { activeCharacters, showActiveCharacters } from '../../lib/streams/values/display-text.ts'

/** Replaces such characters by visible ones. */
export const terminalSafe = showActiveCharacters

/** Escapes such characters in JSON text as `\uXXXX`, so that it stays the same JSON value. */
export function terminalSafeJson(json: string): string {
  return json.replace(activeCharacters, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return Array.from({ length: character.length }, (_, index) => escapeUnit(character.charCodeAt(index))).join('')
}

function escapeUnit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}
