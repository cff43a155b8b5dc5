// Checks the fixture table of docs/providers.md against the counts of a run, or writes it.
// Needs the recorded set.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'

const page = path.join(import.meta.dirname, '../../../docs/providers.md')

/**
 * Compares the API's row with the counts. `RXPI_TABLE=write` writes the row instead (one file at a time:
 * `--no-file-parallelism`).
 */
export function expectCounted(api: string, counts: readonly number[]): void {
  const text = readFileSync(page, 'utf8')
  const row = text.split('\n').find((line) => new RegExp(`^\\| \`${api}\` +\\| +\\d`).test(line))
  if (row === undefined) throw new Error(`docs/providers.md has no counts of ${api}`)
  const cells = row.split('|')
  const counted = cells.map((cell, index) => {
    const count = counts[index - 2]
    return count === undefined ? cell : `${String(count).padStart(cell.length - 1)} `
  })
  if (process.env['RXPI_TABLE'] === 'write') writeFileSync(page, text.replace(row, counted.join('|')))
  else expect(row).toBe(counted.join('|'))
}
