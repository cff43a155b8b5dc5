import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorPage } from '../../scripts/pages/error-page.ts'

test('docs/errors.md is what the table of codes gives [WIRE-codes]', () => {
  expect(readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')).toBe(errorPage())
})
