// Limits and converts entries of the prompt history; a repeated entry is stored once.
import { unitsOf } from '../editor/unit.ts'
import type { Unit } from './unit.ts'

/** Text as typed; a paste stays a chip. Images are not stored. */
export type HistoryPart = string | { readonly paste: string }
export type HistoryEntry = readonly HistoryPart[]

/** Maximum of entries; the oldest go first. */
export const historyLimit = 500
/** Maximum of characters of an entry. */
const entryLimit = 65_536

/** Undefined for an entry that is blank or too long. */
export function historyEntry(units: readonly Unit[]): HistoryEntry | undefined {
  const parts: HistoryPart[] = []
  for (const unit of units) {
    const last = parts.at(-1)
    if (typeof unit === 'string' && typeof last === 'string') parts[parts.length - 1] = last + unit
    else if (typeof unit === 'string') parts.push(unit)
    else if (unit.kind === 'paste') parts.push({ paste: unit.text })
  }
  const length = parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.trim() : part.paste).length, 0)
  return length === 0 || length > entryLimit ? undefined : parts
}

/** Appends an entry. */
export function withEntry(entries: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] {
  if (JSON.stringify(entries.at(-1)) === JSON.stringify(entry)) return entries
  return [...entries, entry].slice(-historyLimit)
}

/** Units of an entry; numbers its pastes from `firstNumber`. */
export function unitsOfEntry(entry: HistoryEntry, firstNumber: number): readonly Unit[] {
  let number = firstNumber
  return entry.flatMap((part): readonly Unit[] =>
    typeof part === 'string' ? unitsOf(part) : [{ kind: 'paste', number: number++, text: part.paste }],
  )
}
