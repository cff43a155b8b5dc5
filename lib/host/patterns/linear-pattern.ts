// Compiles a regular expression of a JSON Schema for matching in linear time.
// Guarantees: it matches exactly what JavaScript matches with the flag `u`, or it is refused.
import { RE2JS } from 're2js'

export interface LinearPattern {
  test(text: string): boolean
  /** Number of the program's steps: the time of a match is proportional to it and to the text's length. */
  readonly size: number
}

/**
 * Returns undefined for what a linear-time engine cannot do: look-around, back references, more than 1,000 repetitions,
 * modifiers, and most Unicode properties.
 * @param pattern valid in JavaScript with the flag `u`
 */
export function linearPattern(pattern: string): LinearPattern | undefined {
  const translated = translate(pattern)
  if (translated === undefined) return undefined
  try {
    const compiled = RE2JS.compile(translated)
    return { test: (text) => compiled.matcher(text).find(), size: compiled.programSize() }
  } catch {
    return undefined // more repetitions than it allows: the caller matches elsewhere
  }
}

// The two languages differ in `\s`, `.`, `$`, code points and empty classes. Each such part is written with code
// points.

const anyCharacter = '[\\x{0}-\\x{10FFFF}]'
const noCharacter = '[^\\x{0}-\\x{10FFFF}]'
const notLineEnd = '[^\\x{a}\\x{d}\\x{2028}\\x{2029}]'
const space =
  '\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const noSpace =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'

const plain: Readonly<Record<string, string | undefined>> = {
  '^': '\\A',
  $: '\\z',
  '.': notLineEnd,
  '|': '|',
  ')': ')',
  '*': '*',
  '+': '+',
  '?': '?',
}

const token =
  /\\u\{(?<brace>[0-9a-fA-F]+)\}|\\u(?<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?<low>[dD][c-fC-F][0-9a-fA-F]{2})|\\u(?<four>[0-9a-fA-F]{4})|\\x(?<two>[0-9a-fA-F]{2})|\\c(?<control>[A-Za-z])|\\(?<property>[pP]\{[^}]*\})|\\(?<reference>[1-9k])|\\(?<escape>[^])|(?<repeat>\{\d+(?:,\d*)?\})|(?<group>\((?:\?(?:<(?![=!])[^>]*>|[^]))?)|(?<class>\[)|(?<character>[^])/uy

type Parts = Readonly<Record<string, string | undefined>>

function translate(pattern: string): string | undefined {
  let translated = ''
  let inClass = ''
  for (let at = 0; at < pattern.length;) {
    const rest = inClass === '' ? undefined : classEnd(pattern, at, inClass)
    if (rest !== undefined) {
      translated += rest
      inClass = ''
      at += 1
      continue
    }
    token.lastIndex = at
    const found = token.exec(pattern)
    if (found === null) return undefined
    at += found[0].length
    const parts: Parts = found.groups ?? {}
    if (inClass === '' && parts['class'] !== undefined) {
      const opening = pattern[at] === '^' ? '[^' : '['
      at += opening.length - 1
      inClass = opening
      if (pattern[at] !== ']') translated += opening
      continue
    }
    const part = inClass === '' ? outside(found[0], parts) : inside(found[0], parts)
    if (part === undefined) return undefined
    translated += part
    if (inClass !== '') inClass = 'filled'
  }
  return translated
}

/** The end of a class at this place; a class without members matches nothing, or everything. */
function classEnd(pattern: string, at: number, inClass: string): string | undefined {
  if (pattern[at] !== ']') return undefined
  if (inClass === 'filled') return ']'
  return inClass === '[' ? noCharacter : anyCharacter
}

function outside(text: string, parts: Parts): string | undefined {
  const { group, repeat, character, escape } = parts
  if (repeat !== undefined) return repeat
  if (group !== undefined) return group === '(' || group === '(?:' || group.endsWith('>') ? '(?:' : undefined
  if (escape === 'b' || escape === 'B') return text
  if (escape === 's') return `[${space}]`
  if (escape === 'S') return `[${noSpace}]`
  return (character === undefined ? undefined : plain[character]) ?? member(text, parts)
}

function inside(text: string, parts: Parts): string | undefined {
  const { character, escape, group, repeat } = parts
  if (character === '-') return '-'
  if (escape === 's') return space
  if (escape === 'S') return noSpace
  if (escape === 'b') return '\\x{8}'
  if (group !== undefined || repeat !== undefined || parts['class'] !== undefined)
    return Array.from(text, codePoint).join('')
  return member(text, parts)
}

/** One character, or a class of its own that both languages have. */
function member(text: string, { brace, high, low, four, two, control, property, reference, escape, character }: Parts) {
  if (reference !== undefined) return undefined
  if (property !== undefined) return /^[pP]\{[A-Z][a-z]?\}$/.test(property) ? text : undefined
  const hex = brace ?? four ?? two
  if (hex !== undefined) return `\\x{${hex}}`
  if (high !== undefined && low !== undefined)
    return codePoint(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)))
  if (control !== undefined) return `\\x{${(control.charCodeAt(0) % 32).toString(16)}}`
  if (escape !== undefined) return /[dDwW]/.test(escape) ? text : codePoint(escapes[escape] ?? escape)
  return character === undefined ? undefined : codePoint(character)
}

const escapes: Readonly<Record<string, string | undefined>> = { 0: '\0', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' }

function codePoint(character: string): string {
  return `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
