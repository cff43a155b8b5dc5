// Writes the table of secrets in docs/security.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { secretShapes } from '../../lib/policy/secrets/secret-shapes.ts'

const page = new URL('../../docs/security.md', import.meta.url)
const begin = '<!-- generated: npx node scripts/pages/secrets-table.ts -->'
const end = '<!-- end of the table of secrets -->'

/** The page with the present table. @throws Error without the two marks */
export function withSecretsTable(text: string): string {
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`docs/security.md lacks ${begin} or ${end}`)
  return `${before}${begin}\n\n${table()}\n\n${end}${after}`
}

function table(): string {
  const kinds = [...new Set(secretShapes.map(({ kind }) => kind))].filter((kind) => kind !== '')
  const rows = kinds.map((kind) => {
    const prefixes = secretShapes.filter((shape) => shape.kind === kind).flatMap((shape) => shape.prefixes)
    return [`\`${kind}\``, prefixes.map((prefix) => `\`${prefix.trim()}\``).join(', ')]
  })
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const ruled = widths.map((width) => '-'.repeat(width))
  return [line(['placeholder', 'the text begins with']), line(ruled), ...rows.map(line)].join('\n')
}

if (import.meta.main) writeFileSync(page, withSecretsTable(readFileSync(page, 'utf8')))
