// Tests that docs/errors.md matches the table of codes.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorPage } from '../../scripts/pages/error-page.ts'

test('docs/errors.md matches the table of codes [WIRE-codes]', () => {
  expect(readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')).toBe(errorPage())
})
