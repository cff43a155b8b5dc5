// Immutable text with a cursor, which stands between two units.
import { graphemes } from '../text/cell-width.ts'
import type { Unit } from './unit.ts'
import { unitsOf } from './unit.ts'

export interface TextBuffer {
  readonly units: readonly Unit[]
  /** Index of the unit after the cursor; the number of units at the end. */
  readonly cursor: number
}

export const emptyBuffer: TextBuffer = { units: [], cursor: 0 }

/** A text with the cursor at its end. */
export function bufferOf(text: string): TextBuffer {
  const units = unitsOf(text)
  return { units, cursor: units.length }
}

/**
 * Replaces the units from `from` up to `to`; the cursor goes after them. Splits the neighbourhood again, because a
 * letter and a following accent may form one grapheme.
 */
export function replaceUnits({ units }: TextBuffer, from: number, to: number, put: readonly Unit[]): TextBuffer {
  const left = extendLeft(units, from)
  const right = extendRight(units, to)
  const before = splitAgain([...units.slice(left, from), ...put])
  const rest = units.slice(to, right)
  const joined = splitAgain([...before, ...rest])
  return {
    units: [...units.slice(0, left), ...joined, ...units.slice(right)],
    cursor: left + unitsWithin(joined, lengthOf(before)),
  }
}

/** Inserts a text at the cursor. */
export function insertText(buffer: TextBuffer, text: string): TextBuffer {
  return replaceUnits(buffer, buffer.cursor, buffer.cursor, unitsOf(text))
}

/**
 * An ASCII character ends a grapheme on both sides, except one that may combine with its neighbour, which is checked
 * too.
 */
function isBoundary(unit: Unit | undefined): boolean {
  return unit === undefined || typeof unit !== 'string' || /^[\n\t\x20-\x7e]$/.test(unit)
}

function extendLeft(units: readonly Unit[], from: number): number {
  let left = from
  while (left > 0 && typeof units[left - 1] === 'string') {
    left -= 1
    if (isBoundary(units[left])) break
  }
  return left
}

function extendRight(units: readonly Unit[], to: number): number {
  let right = to
  while (right < units.length && typeof units[right] === 'string') {
    right += 1
    if (isBoundary(units[right - 1])) break
  }
  return right
}

function splitAgain(units: readonly Unit[]): readonly Unit[] {
  const result: Unit[] = []
  let text = ''
  for (const unit of units) {
    if (typeof unit === 'string') {
      text += unit
      continue
    }
    result.push(...graphemes(text), unit)
    text = ''
  }
  result.push(...graphemes(text))
  return result
}

/** In UTF-16 units; a chip counts as one. */
function lengthOf(units: readonly Unit[]): number {
  return units.reduce((length, unit) => length + (typeof unit === 'string' ? unit.length : 1), 0)
}

/** Number of whole units that cover a length. */
function unitsWithin(units: readonly Unit[], length: number): number {
  let covered = 0
  let count = 0
  for (const unit of units) {
    if (covered >= length) break
    covered += typeof unit === 'string' ? unit.length : 1
    count += 1
  }
  return count
}

/** Start of the line that contains the cursor. */
export function lineStart(units: readonly Unit[], cursor: number): number {
  let index = cursor
  while (index > 0 && units[index - 1] !== '\n') index -= 1
  return index
}

/** End of that line: its LF, or the end of the text. */
export function lineEnd(units: readonly Unit[], cursor: number): number {
  let index = cursor
  while (index < units.length && units[index] !== '\n') index += 1
  return index
}

/**
 * Start of the word that ends at or before the cursor; a word is a run of letters and digits, of signs, or one chip.
 */
export function wordLeft(units: readonly Unit[], cursor: number): number {
  let index = cursor
  while (index > 0 && kindOf(units[index - 1]) === 'space') index -= 1
  const kind = kindOf(units[index - 1])
  if (index === 0 || kind === 'chip') return Math.max(0, index - 1)
  while (index > 0 && kindOf(units[index - 1]) === kind) index -= 1
  return index
}

/** End of the word that begins at or after the cursor. */
export function wordRight(units: readonly Unit[], cursor: number): number {
  let index = cursor
  while (index < units.length && kindOf(units[index]) === 'space') index += 1
  const kind = kindOf(units[index])
  if (index === units.length || kind === 'chip') return Math.min(units.length, index + 1)
  while (index < units.length && kindOf(units[index]) === kind) index += 1
  return index
}

function kindOf(unit: Unit | undefined): 'space' | 'word' | 'sign' | 'chip' {
  if (unit === undefined || typeof unit !== 'string') return 'chip'
  if (/^\s/.test(unit)) return 'space'
  return /^[\p{L}\p{N}\p{M}_]/u.test(unit) ? 'word' : 'sign'
}
