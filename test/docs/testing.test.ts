// What the page shows is run as it stands there, against the sources.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as exported from '../../lib/testing/index.ts'
import { pageExamples } from '../support/page-examples.ts'
import type { PageExamples } from '../support/page-examples.ts'

const page = 'docs/testing.md'
let shown: PageExamples

beforeAll(() => {
  shown = pageExamples(page)
})
afterAll(() => {
  shown[Symbol.dispose]()
})

describe('docs/testing.md', () => {
  it('has everything that rxpi/testing exports, and nothing else', () => {
    const rows = readFileSync(page, 'utf8').matchAll(/^\| (`.+?`) +\|/gm)
    const names = Array.from(rows, ([, cell = '']) => Array.from(cell.matchAll(/`(\w+)/g), ([, name]) => name)).flat()
    expect(names.toSorted()).toEqual(Object.keys(exported).toSorted())
  })

  it('has examples that hold', async () => {
    for (const example of shown.examples) expect(await shown.run(example)).toBe('ran')
    expect(shown.examples).toHaveLength(3)
  })

  it.each([
    ['a stream', "toBe('a-(b|)')", "toBe('a-(c|)')", 'The streams differ'],
    ['a run', 'played.idleAt, 60_003', 'played.idleAt, 60_004', 'AssertionError'],
  ])('has examples that fail where %s is another', async (_, from, to, told) => {
    const example = shown.examples.find((code) => code.includes(from)) ?? ''
    expect(await shown.run(example.replace(from, to))).toContain(told)
  })

  it('has examples that type check as they stand', async () => {
    expect(await shown.typeErrors()).toBe('')
  }, 60_000) // a type check of its own
})
