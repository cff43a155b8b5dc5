// Writes a key press as a terminal sends it, for components of extensions.
import { graphemes } from '../text/cell-width.ts'
import type { KeyPress } from '../keys/key-press.ts'

/** Data of `surface_key`. */
export interface KeyData {
  readonly data: string
  readonly name?: string
}

const letters: Readonly<Record<string, string>> = { up: 'A', down: 'B', right: 'C', left: 'D', end: 'F', home: 'H' }
const numbers: Readonly<Record<string, number>> = { delete: 3, pageup: 5, pagedown: 6 }
const plain: Readonly<Record<string, string>> = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  backspace: '\u007f',
  space: ' ',
}
const modifierBits: Readonly<Record<string, number>> = { shift: 1, alt: 2, ctrl: 4, super: 8 }

/** One key each: a component reads `ab` as no key. A paste stays whole, between its marks. */
export function keyData(press: KeyPress): readonly KeyData[] {
  if (press.kind === 'paste') return [{ data: `\u001b[200~${press.text}\u001b[201~` }]
  if (press.kind === 'text') return graphemes(press.text).map((data) => ({ data }))
  return [{ data: sequenceOf(press.name), name: press.name }]
}

function sequenceOf(name: string): string {
  // the key itself may be a plus sign
  const parts = name.endsWith('+') ? [...name.slice(0, -1).split('+').slice(0, -1), '+'] : name.split('+')
  const key = parts.at(-1) ?? ''
  const modifiers = parts.slice(0, -1)
  const bits = modifiers.reduce((sum, modifier) => sum + (modifierBits[modifier] ?? 0), 0)
  const letter = letters[key]
  if (letter !== undefined) return bits === 0 ? `\u001b[${letter}` : `\u001b[1;${bits + 1}${letter}`
  const number = numbers[key]
  if (number !== undefined) return bits === 0 ? `\u001b[${number}~` : `\u001b[${number};${bits + 1}~`
  if (key === 'tab' && bits === 1) return '\u001b[Z'
  return characterSequence(plain[key] ?? key, bits)
}

/** As terminals write them since ever; keys that had no sequence, in that of the kitty protocol. */
function characterSequence(character: string, bits: number): string {
  const control = character === ' ' ? '\u0000' : controlOf(character)
  if (bits === 0) return character
  if (bits === 2) return `\u001b${character}`
  if (bits === 4 && control !== undefined) return control
  if (bits === 6 && control !== undefined) return `\u001b${control}`
  return `\u001b[${character.codePointAt(0) ?? 0};${bits + 1}u`
}

function controlOf(character: string): string | undefined {
  if (!/^[a-z@[\\\]^_]$/.test(character)) return undefined
  return String.fromCharCode(character.toUpperCase().charCodeAt(0) & 0x1f)
}
