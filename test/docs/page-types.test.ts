// Tests that the TypeScript of all pages type-checks unchanged, in one check for all.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { typeErrorsOf } from '../support/page-examples.ts'

/** Shapes of JSON in TypeScript's notation, no programs. */
const notations: ReadonlySet<string> = new Set([path.join('docs', 'protocol.md')])
const pages = ['README.md', ...readdirSync('docs').map((name) => path.join('docs', name))].filter(
  (page) => page.endsWith('.md') && !notations.has(page) && readFileSync(page, 'utf8').includes('\n```ts\n'),
)

it('the examples of all pages type-check unchanged', async () => {
  expect(pages).toContain(path.join('docs', 'library.md'))
  expect(await typeErrorsOf(pages)).toBe('')
}, 180_000) // a build, if there is none
