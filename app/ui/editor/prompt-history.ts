// What was sent from a folder before: entries are bounded in number and size, the same one twice in a row is kept once.
import { unitsOf } from '../editor/text-buffer.ts'
import type { Unit } from './text-buffer.ts'

/** Text as it was typed; a paste that was shown as one chip is one again. Images are not kept. */
export type HistoryPart = string | { readonly paste: string }
export type HistoryEntry = readonly HistoryPart[]

/** Entries that are kept; the oldest go first. */
export const historyLimit = 500
/** Characters of an entry; a longer one is not kept. */
const entryLimit = 65_536

/** Undefined for what is not kept: nothing but space, or too long. */
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

/** With one more at the end. */
export function withEntry(entries: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] {
  if (JSON.stringify(entries.at(-1)) === JSON.stringify(entry)) return entries
  return [...entries, entry].slice(-historyLimit)
}

/** An entry in the editor; its pastes are numbered from `firstNumber` on. */
export function unitsOfEntry(entry: HistoryEntry, firstNumber: number): readonly Unit[] {
  let number = firstNumber
  return entry.flatMap((part): readonly Unit[] =>
    typeof part === 'string' ? unitsOf(part) : [{ kind: 'paste', number: number++, text: part.paste }],
  )
}
