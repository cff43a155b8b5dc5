// Tests that the page of providers has the current table of presets.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { providersPage } from '../../scripts/pages/preset-table.ts'

it('the table of presets is up to date; after a change: node scripts/pages/providers-page.ts', async () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../docs/providers.md'), 'utf8')
  expect(await providersPage()).toBe(page)
})
