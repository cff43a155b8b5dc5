// Tests that the tables of docs/security.md are those that the code decides.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { withSecretsTable } from '../../scripts/pages/secrets-table.ts'
import { securityPage } from '../../scripts/pages/security-page.ts'

it('docs/security.md has the decisions of the code; after a change: node scripts/pages/security-page.ts [S4c]', () => {
  const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
  expect(securityPage(page)).toBe(page)
})

it('the docs say that without a sandbox an approval is a seat belt, and what no mode protects from [S6f]', () => {
  for (const name of ['security.md', 'design/security.md']) {
    const page = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
    expect(page).toContain('**Without a sandbox, an approval is a seat belt.**')
    expect(page).toMatch(
      /has (?:your rights|the rights of the user)\. It can reach (?:rxpi's|the) socket and every file/,
    )
  }
  expect(readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')).toContain('**no protection**')
})

it('docs/security.md has the table of secrets; after a change: node scripts/pages/secrets-table.ts [S18b]', () => {
  const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
  expect(withSecretsTable(page)).toBe(page)
})
