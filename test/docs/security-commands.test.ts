// Tests that the page of shell commands has the current table of cases.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { commandPage } from '../../scripts/pages/command-table.ts'
import { formatText } from '../../scripts/shared/format-text.ts'

it('docs/security-commands.md is up to date; after a change: node scripts/pages/commands-page.ts', async () => {
  const file = path.join(import.meta.dirname, '../../docs/security-commands.md')
  const page = await formatText(file, commandPage())
  expect(readFileSync(file, 'utf8')).toBe(page)
})
