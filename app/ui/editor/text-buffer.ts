// A text with a cursor, never changed: between chips its units are exactly the graphemes of its text, whatever was cut or put in.
import { graphemes } from '../text/cell-width.ts'
import type { Unit } from './unit.ts'

export interface TextBuffer {
  readonly units: readonly Unit[]
  /** Before the unit of this index; the number of units at the end. */
  readonly cursor: number
}

export const emptyBuffer: TextBuffer = { units: [], cursor: 0 }

/** `\r\n` and `\r` become `\n`. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

/** A text as units; its ends of lines become `\n`. */
export function unitsOf(text: string): readonly Unit[] {
  return graphemes(withLineFeeds(text))
}

/**
 * Puts units in the place of those from `from` up to `to`; the cursor stands behind them. What now stands side by side may be
 * one grapheme (a letter and the accent that followed it), so the neighbourhood is cut anew.
 */
export function replaceUnits({ units }: TextBuffer, from: number, to: number, put: readonly Unit[]): TextBuffer {
  const left = stretchLeft(units, from)
  const right = stretchRight(units, to)
  const before = cutAnew([...units.slice(left, from), ...put])
  const rest = units.slice(to, right)
  const joined = cutAnew([...before, ...rest])
  return {
    units: [...units.slice(0, left), ...joined, ...units.slice(right)],
    cursor: left + unitsWithin(joined, lengthOf(before)),
  }
}

/** A text at the cursor. */
export function insertText(buffer: TextBuffer, text: string): TextBuffer {
  return replaceUnits(buffer, buffer.cursor, buffer.cursor, unitsOf(text))
}

/** Where an ASCII character begins or ends, so does a grapheme, but for what may reach over its own edge: it is looked at too. */
function isFirm(unit: Unit | undefined): boolean {
  return unit === undefined || typeof unit !== 'string' || /^[\n\t\x20-\x7e]$/.test(unit)
}

function stretchLeft(units: readonly Unit[], from: number): number {
  let left = from
  while (left > 0 && typeof units[left - 1] === 'string') {
    left -= 1
    if (isFirm(units[left])) break
  }
  return left
}

function stretchRight(units: readonly Unit[], to: number): number {
  let right = to
  while (right < units.length && typeof units[right] === 'string') {
    right += 1
    if (isFirm(units[right - 1])) break
  }
  return right
}

function cutAnew(units: readonly Unit[]): readonly Unit[] {
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

/** UTF-16 units; a chip counts as one. */
function lengthOf(units: readonly Unit[]): number {
  return units.reduce((length, unit) => length + (typeof unit === 'string' ? unit.length : 1), 0)
}

/** How many whole units it takes to cover a length. */
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
