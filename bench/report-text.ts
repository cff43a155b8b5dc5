// Formats a report: tables in columns, then each target with its figure and verdict.
import type { Cell, Column, Report, Table, Target } from './report.ts'

/** Joins lines and ends the last one. */
export function reportText({ tables, targets, notes }: Report): string {
  const parts = [
    ...tables.map(tableText),
    ...(targets.length === 0 ? [] : [tableText(targetTable(targets))]),
    ...(notes.length === 0 ? [] : [notes.map((note) => `  ${note}`).join('\n')]),
  ]
  return `${parts.join('\n\n')}\n`
}

/** Undefined if it could not be measured. */
export function isReached({ measured, limit }: Target): boolean | undefined {
  return measured === undefined ? undefined : measured <= limit
}

/** Figure, target and verdict as text. */
export function targetText(target: Target): {
  readonly measured: string
  readonly limit: string
  readonly verdict: string
} {
  return { measured: figure(target.measured, target), limit: limitText(target), verdict: verdict(target) }
}

function targetTable(targets: readonly Target[]): Table {
  return {
    title: 'targets',
    columns: [{ title: '' }, { title: 'measured' }, { title: 'target' }, { title: '' }],
    rows: targets.map((target) => {
      const { measured, limit, verdict } = targetText(target)
      return [target.what, measured, limit, verdict]
    }),
  }
}

function figure(value: number | undefined, { unit, limit }: Target): string {
  return value === undefined ? '–' : `${grouped(value, digitsOf(limit))}${unit}`
}

function limitText(target: Target): string {
  return `≤ ${figure(target.limit, target)}`
}

function digitsOf(limit: number): number {
  return limit < 100 ? 2 : 0
}

function verdict(target: Target): string {
  const reached = isReached(target)
  return reached === undefined ? 'not measured' : reached ? 'reached' : 'MISSED'
}

function tableText({ title, columns, rows }: Table): string {
  const written = rows.map((row) => columns.map((column, index) => cellText(row[index], column)))
  const widths = columns.map(({ title: head }, index) =>
    Math.max(head.length, ...written.map((cells) => cells[index]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string => `    ${aligned(cells, widths).trimEnd()}`
  return [`  ${title}`, line(columns.map((column) => column.title)), ...written.map(line)].join('\n')
}

/** The first column to the left, figures to the right. */
function aligned(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)))
    .join('  ')
}

function cellText(cell: Cell, { digits = 0 }: Column): string {
  if (cell === undefined) return '–'
  return typeof cell === 'string' ? cell : grouped(cell, digits)
}

/** 1234567.8 → 1,234,568 */
function grouped(value: number, digits: number): string {
  return value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
