// Lays out a row of a picker: mark, label, a second column if the list has one, hint.
import { cellWidth, cutToWidth } from '../text/cell-width.ts'
import { span } from '../text/span.ts'
import type { Theme } from '../theme/theme.ts'
import type { PickerRow } from './list-state.ts'

export interface ColumnWidths {
  /** Cells of mark and label. */
  readonly first: number
  readonly second: number
}

/** Cells of the pointer, and between columns. */
const gap = 2
/** Maximum share of the row for the first column, and for the first and second together. */
const firstShare = 0.4
const bothShare = 0.75
/** Cells below which a column is left out. */
const leastColumn = 4

/** Widths of the first two columns for all rows; undefined if no row has a second column. */
export function columnWidths(rows: readonly PickerRow[], columns: number): ColumnWidths | undefined {
  if (rows.every(({ second = '' }) => second === '')) return undefined
  const room = columns - gap
  const second = widest(rows.map((row) => row.second ?? ''))
  const first = Math.min(widest(rows.map(frontOf)), Math.max(Math.floor(room * firstShare), room - gap - second))
  const rest = Math.floor(room * bothShare) - first - gap
  return { first, second: Math.max(leastColumn, Math.min(second, rest)) }
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, cellWidth(text)), 0)
}

function frontOf({ mark = '', label }: PickerRow): string {
  return (mark === '' ? '' : `${span(mark).text} `) + span(label).text
}

export interface RowLook {
  readonly isChosen: boolean
  /** Cells. */
  readonly columns: number
  readonly widths: ColumnWidths | undefined
  readonly theme: Theme
}

/** One line of at most `columns` cells, painted. */
export function rowText(row: PickerRow, { isChosen, columns, widths, theme }: RowLook): string {
  const { second = '', hint = '', isAside = false } = row
  const front = cutToWidth(
    `${isChosen ? '›' : ' '} ${frontOf(row)}`,
    widths === undefined ? columns : widths.first + gap,
  )
  const painted = isChosen ? theme.paint('selected', front) : isAside ? theme.paint('dim', front) : front
  let used = cellWidth(front)
  let behind = ''
  const add = (text: string, at: number, width: number): void => {
    if (text === '' || width < leastColumn) return
    const shown = cutToWidth(span(text).text, width)
    behind += ' '.repeat(at - used) + shown
    used = at + cellWidth(shown)
  }
  if (widths === undefined) add(hint, used + gap, columns - used - gap)
  else {
    const start = widths.first + 2 * gap
    const end = start + widths.second + gap
    add(second, start, Math.min(widths.second, columns - start))
    add(hint, end, columns - end)
  }
  return painted + theme.paint('dim', behind)
}
