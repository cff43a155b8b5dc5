// Pure functions of a list: filter, move the choice, visible window; fast for thousands of rows.
import { go } from 'fuzzysort'
import type { ActionName } from '../keys/actions.ts'

export interface PickerRow {
  /** Unique in its list. */
  readonly key: string
  /** Untrusted text; drawing escapes it. */
  readonly label: string
  /** Second column, aligned in all rows of the list. Default: none. */
  readonly second?: string
  /** Dimmed text after the label. */
  readonly hint?: string
  /** Sign before the label, so that colour alone carries no information. Default: none. */
  readonly mark?: string
  /** Drawn dimmed. */
  readonly isAside?: boolean
}

export interface MatchOptions {
  /** Keeps the order of matching rows; default: best match first. */
  readonly keepsOrder?: boolean
}

/** Rows that contain the query, or its letters in order and close together; all rows for an empty query. */
export function matchingRows(
  rows: readonly PickerRow[],
  query: string,
  { keepsOrder = false }: MatchOptions = {},
): readonly PickerRow[] {
  if (query.trim() === '') return rows
  const part = query.trim().toLowerCase()
  const matching = go(query, rows, { key: searchText, threshold: 0, limit: rows.length })
    .filter(({ score, target }) => score >= leastScore || target.toLowerCase().includes(part))
    .map(({ obj }) => obj)
  if (!keepsOrder) return matching
  const matches = new Set(matching)
  return rows.filter((row) => matches.has(row))
}

/** Below it the letters are scattered; the middle of a word scores less too. */
const leastScore = 0.4

function searchText({ label, second = '', hint = '' }: PickerRow): string {
  return `${label} ${second} ${hint}`
}

/** The choice after a key; wraps at both ends, except by pages. */
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

/** The visible part of a list: at most `height` rows around the chosen one. */
export function windowOf(
  count: number,
  selected: number,
  height: number,
): { readonly from: number; readonly to: number } {
  const size = Math.max(1, Math.min(height, count))
  const from = Math.max(0, Math.min(selected - Math.floor(size / 2), count - size))
  return { from, to: Math.min(count, from + size) }
}
