// What a list shows follows from its rows, what was typed, and which row is chosen: pure, and cheap for thousands of rows.
import { go } from 'fuzzysort'
import type { ActionName } from '../keys/actions.ts'

export interface PickerRow {
  /** Unique in its list. */
  readonly key: string
  /** Anybody's text; it is made safe where it is drawn. */
  readonly label: string
  /** Stands behind the label, dimmed. */
  readonly hint?: string
  /** Stands before the label, so that nothing is told by colour alone. Default: nothing. */
  readonly mark?: string
  /** Drawn dimmed. */
  readonly isAside?: boolean
}

export interface MatchOptions {
  /** Rows that match stay in their order; default: the best first. */
  readonly keepsOrder?: boolean
}

/** Rows that have the letters of what was typed in their order; all of them where nothing was typed. */
export function matchingRows(
  rows: readonly PickerRow[],
  query: string,
  { keepsOrder = false }: MatchOptions = {},
): readonly PickerRow[] {
  if (query.trim() === '') return rows
  const found = go(query, rows, { key: searched, threshold: 0.4, limit: rows.length })
  const matching = found.map(({ obj }) => obj)
  if (!keepsOrder) return matching
  const matches = new Set(matching)
  return rows.filter((row) => matches.has(row))
}

function searched({ label, hint = '' }: PickerRow): string {
  return `${label} ${hint}`
}

/** Where a key of a list moves the choice to; it goes round at the ends but for pages. */
export function moveChoice(selected: number, action: ActionName | undefined, count: number, page: number): number {
  if (count === 0) return 0
  switch (action) {
    case 'listUp':
      return (selected + count - 1) % count
    case 'listDown':
      return (selected + 1) % count
    case 'listPageUp':
      return Math.max(0, selected - page)
    case 'listPageDown':
      return Math.min(count - 1, selected + page)
    default:
      return Math.min(selected, count - 1)
  }
}

/** The part of a list that is drawn: at most `height` rows, with the chosen one among them. */
export function windowOf(
  count: number,
  selected: number,
  height: number,
): { readonly from: number; readonly to: number } {
  const size = Math.max(1, Math.min(height, count))
  const from = Math.max(0, Math.min(selected - Math.floor(size / 2), count - size))
  return { from, to: Math.min(count, from + size) }
}
