// Tests that the tables of docs/security.md are those that the code decides.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { withSecretsTable } from '../../scripts/pages/secrets-table.ts'
import { securityPage } from '../../scripts/pages/security-page.ts'

it('docs/security.md has the decisions of the code; after a change: node scripts/pages/security-page.ts [S4c]', () => {
  const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
  expect(securityPage(page)).toBe(page)
})

it('docs/security.md has the table of secrets; after a change: node scripts/pages/secrets-table.ts [S18b]', () => {
  const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
  expect(withSecretsTable(page)).toBe(page)
})
