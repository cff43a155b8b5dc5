// Tests that the examples of docs/context.md run, and that its table names every section.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sectionNames } from '../../lib/streams/ports/prompt-sections.ts'
import { pageExamples } from '../support/page-examples.ts'
import type { PageExamples } from '../support/page-examples.ts'

const page = 'docs/context.md'
let shown: PageExamples

beforeAll(() => {
  shown = pageExamples(page)
})
afterAll(() => {
  shown[Symbol.dispose]()
})

describe('docs/context.md', () => {
  it('has examples that run unchanged', async () => {
    expect(await shown.runAll(shown.examples)).toBe('ran')
    expect(shown.examples.length).toBeGreaterThan(1)
  }, 60_000)

  it('lists the sections in their order', () => {
    const table = readFileSync(page, 'utf8').split('\n| section')[1]?.split('\n\n')[0] ?? ''
    expect(Array.from(table.matchAll(/^\| `(\w+)`/gm), ([, name]) => name)).toEqual(sectionNames)
  })
})
