// Wraps the editor's text into rows, and finds the cursor in them.
import { terminalSafe } from '../../process/terminal-safe.ts'
import { cellWidth, cutToWidth } from '../text/cell-width.ts'
import { graphemeWidth } from '../text/grapheme-width.ts'
import type { TextBuffer } from './text-buffer.ts'
import type { Unit } from './unit.ts'
import { chipLabel } from './unit.ts'

/** Text of one style, safe for a terminal. */
export interface RowPiece {
  readonly text: string
  readonly isChip: boolean
}

/** Units from `start` up to `end`, without the line feed that ends the line. */
export interface Row {
  readonly start: number
  readonly end: number
  readonly pieces: readonly RowPiece[]
}

export interface TextLayout {
  /** At least one. */
  readonly rows: readonly Row[]
  readonly cursor: { readonly row: number; readonly column: number }
}

interface Cell {
  readonly text: string
  readonly width: number
}

/**
 * Wraps at spaces if possible; the cursor always has a column.
 * @param width columns with the cursor's; at least 2
 */
export function layoutText({ units, cursor }: TextBuffer, width: number): TextLayout {
  const limit = Math.max(1, width - 1)
  const cells = units.map((unit) => cellOf(unit, limit))
  const rows = rowBounds(units, cells, limit).map(([start, end]) => ({
    start,
    end,
    pieces: joinCells(units, cells, start, end),
  }))
  const row = Math.max(
    0,
    rows.findLastIndex(({ start }) => start <= cursor),
  )
  const column = cells.slice(rows[row]?.start ?? 0, cursor).reduce((sum, cell) => sum + cell.width, 0)
  return { rows, cursor: { row, column } }
}

/**
 * Index of the unit at a column of a row; the end of the row if it is shorter.
 * @param width as for `layoutText`
 */
export function indexAt({ units }: TextBuffer, { start, end }: Row, column: number, width: number): number {
  const limit = Math.max(1, width - 1)
  let passed = 0
  for (let index = start; index < end; index += 1) {
    const next = passed + cellOf(units[index] ?? '', limit).width
    if (next > column) return index
    passed = next
  }
  const isWrapped = end < units.length && units[end] !== '\n'
  // the end of a wrapped row is the start of the next
  return isWrapped ? Math.max(start, end - 1) : end
}

/** Joiners inside an emoji hide nothing and stay. */
const emoji = /^\p{RGI_Emoji}$/v

/** Cells of graphemes that need no escaping, cached for the next key; emptied at `cellCacheLimit` entries. */
let cellCache = new Map<string, Cell>()
const cellCacheLimit = 8_192

function cellOf(unit: Unit, limit: number): Cell {
  if (typeof unit !== 'string') return cutCell(terminalSafe(chipLabel(unit)), limit)
  const same = cellCache.get(unit)
  if (same !== undefined) return same
  if (unit === '\n') return { text: '', width: 0 }
  if (unit === '\t') return { text: ' '.repeat(Math.min(4, limit)), width: Math.min(4, limit) }
  const isShown = emoji.test(unit) || terminalSafe(unit) === unit
  if (!isShown) return cutCell(terminalSafe(unit), limit)
  const cell = { text: unit, width: graphemeWidth(unit) }
  if (cell.width > limit) return cutCell(unit, limit)
  if (cellCache.size >= cellCacheLimit) cellCache = new Map()
  cellCache.set(unit, cell)
  return cell
}

function cutCell(text: string, limit: number): Cell {
  const shown = cutToWidth(text, limit)
  return { text: shown, width: cellWidth(shown) }
}

function rowBounds(units: readonly Unit[], cells: readonly Cell[], limit: number): (readonly [number, number])[] {
  const bounds: (readonly [number, number])[] = []
  let start = 0
  let width = 0
  let breakAt = 0
  for (const [index, unit] of units.entries()) {
    if (unit === '\n') {
      bounds.push([start, index])
      start = index + 1
      width = 0
      continue
    }
    width += cells[index]?.width ?? 0
    while (width > limit && index > start) {
      const end = breakAt > start ? breakAt : index
      bounds.push([start, end])
      start = end
      width = cells.slice(start, index + 1).reduce((sum, cell) => sum + cell.width, 0)
    }
    if (unit === ' ' || unit === '\t') breakAt = index + 1
  }
  bounds.push([start, units.length])
  return bounds
}

function joinCells(units: readonly Unit[], cells: readonly Cell[], start: number, end: number): readonly RowPiece[] {
  const result: RowPiece[] = []
  for (let index = start; index < end; index += 1) {
    const isChip = typeof units[index] !== 'string'
    const text = cells[index]?.text ?? ''
    const last = result.at(-1)
    if (last !== undefined && !isChip && !last.isChip) result[result.length - 1] = { text: last.text + text, isChip }
    else result.push({ text, isChip })
  }
  return result
}
