// Converts one call of Ink's input handler into key presses; one chunk may hold several keys.
import type { Key } from 'ink'
import type { KeyPress } from './key-press.ts'

const namedKeys = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
] as const satisfies readonly (readonly [keyof Key, string])[]

/**
 * @param input the characters from Ink's `useInput`
 * @param key flags from Ink
 */
export function readKeys(input: string, key: Key): readonly KeyPress[] {
  if (key.eventType === 'release') return []
  const special = namedKeys.find(([flag]) => key[flag])?.[1]
  // two quick presses of Esc come as one chunk, which reads like Alt-Esc; under the kitty protocol it is Alt-Esc
  if (special === 'escape' && key.meta && key.eventType === undefined) return [keyPress('escape'), keyPress('escape')]
  if (special !== undefined) return [keyPress(withModifiers(special, key))]
  if (input === '') return []
  if (key.ctrl || key.meta || key.super || key.hyper) return [keyPress(withModifiers(nameOfCharacter(input), key))]
  return readText(input)
}

function keyPress(name: string): KeyPress {
  return { kind: 'key', name }
}

function nameOfCharacter(input: string): string {
  return input === ' ' ? 'space' : input.toLowerCase()
}

function withModifiers(name: string, { ctrl, meta, shift, super: command }: Key): string {
  const modifiers = [ctrl && 'ctrl', meta && 'alt', shift && 'shift', command && 'super']
  return [...modifiers.filter((modifier) => modifier !== false), name].join('+')
}

/**
 * Several lines in one chunk are a paste, even if the terminal does not mark it: typing Enter and more takes several
 * reads. A single Enter at the end was typed.
 */
function readText(input: string): readonly KeyPress[] {
  if (/[^\r\n][\r\n]+[^\r\n]/.test(input)) return [{ kind: 'paste', text: input }]
  return [...input.replaceAll('\r\n', '\r').matchAll(/\p{Cc}|\P{Cc}+/gu)].map(([piece]) =>
    /^\p{Cc}/u.test(piece) ? keyPress(controlName(piece)) : { kind: 'text', text: piece },
  )
}

function controlName(character: string): string {
  const code = character.charCodeAt(0)
  if (character === '\r') return 'enter'
  if (character === '\t') return 'tab'
  if (code === 0x1b) return 'escape'
  if (code === 0) return 'ctrl+space'
  return code <= 26 ? `ctrl+${String.fromCharCode(code + 96)}` : `ctrl+${String.fromCharCode((code & 0x1f) + 64)}`
}
