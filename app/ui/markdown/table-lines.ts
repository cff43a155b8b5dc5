// Formats a table; if it is too wide, narrows the widest columns and wraps their cells.
import { span } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { widthOf, wrapLine } from '../text/wrap-line.ts'

export interface TableRow {
  readonly isHead: boolean
  readonly cells: readonly Line[]
}

const between = 3

export function tableLines(rows: readonly TableRow[], columns: number): Line[] {
  const widths = fitWidths(naturalWidths(rows), columns)
  const rule = span(widths.map((width) => '─'.repeat(width)).join('─┼─'), 'dim')
  return rows.flatMap((row, index) => {
    const lines = rowLines(row, widths)
    return row.isHead && rows[index + 1]?.isHead !== true ? [...lines, [rule]] : lines
  })
}

function naturalWidths(rows: readonly TableRow[]): number[] {
  const widths: number[] = []
  for (const { cells } of rows) {
    cells.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 1, widthOf(cell))
    })
  }
  return widths
}

/** Narrows the widest column until all fit or none can be narrower. */
function fitWidths(widths: readonly number[], columns: number): number[] {
  const next = [...widths]
  const room = columns - between * (widths.length - 1)
  let total = next.reduce((sum, width) => sum + width, 0)
  while (total > room) {
    const widest = next.indexOf(Math.max(...next))
    const width = next[widest] ?? 0
    if (width <= 4) break
    next[widest] = width - 1
    total -= 1
  }
  return next
}

function rowLines({ cells, isHead }: TableRow, widths: readonly number[]): Line[] {
  const wrapped = widths.map((width, index) => wrapLine(cells[index] ?? [], { columns: width }))
  const height = Math.max(...wrapped.map(({ length }) => length))
  return Array.from({ length: height }, (_, row) =>
    wrapped.flatMap((lines, index): Line => {
      const line = lines[row] ?? []
      const shown = isHead ? line.map(({ text, roles }) => ({ text, roles: ['strong' as const, ...roles] })) : line
      const isLast = index === widths.length - 1
      if (isLast) return shown
      return [...shown, span(' '.repeat(Math.max(0, (widths[index] ?? 0) - widthOf(line)))), span(' │ ', 'dim')]
    }),
  )
}
