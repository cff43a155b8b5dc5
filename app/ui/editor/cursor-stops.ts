// Where the cursor goes from an index: lines end at `\n`; a word is a run of letters and digits, of signs, or one chip.
import type { Unit } from './unit.ts'

export function lineStart(units: readonly Unit[], cursor: number): number {
  let index = cursor
  while (index > 0 && units[index - 1] !== '\n') index -= 1
  return index
}

export function lineEnd(units: readonly Unit[], cursor: number): number {
  let index = cursor
  while (index < units.length && units[index] !== '\n') index += 1
  return index
}

/** The start of the word that ends at or before the cursor. */
export function wordLeft(units: readonly Unit[], cursor: number): number {
  let index = cursor
  while (index > 0 && kindOf(units[index - 1]) === 'space') index -= 1
  const kind = kindOf(units[index - 1])
  if (index === 0 || kind === 'chip') return Math.max(0, index - 1)
  while (index > 0 && kindOf(units[index - 1]) === kind) index -= 1
  return index
}

/** The end of the word that begins at or after the cursor. */
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
