// Tests that the table of docs/context.md names every section.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sectionNames } from '../../lib/streams/ports/prompt-sections.ts'

const page = 'docs/context.md'

describe('docs/context.md', () => {
  it('lists the sections in their order', () => {
    const table = readFileSync(page, 'utf8').split('\n| section')[1]?.split('\n\n')[0] ?? ''
    expect(Array.from(table.matchAll(/^\| `(\w+)`/gm), ([, name]) => name)).toEqual(sectionNames)
  })
})
