// Tests that the examples of docs/testing.md run, and that its tables are complete.
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
  it('has every export of rxpi/testing, and nothing else', () => {
    const rows = readFileSync(page, 'utf8').matchAll(/^\| (`.+?`) +\|/gm)
    const names = Array.from(rows, ([, cell = '']) => Array.from(cell.matchAll(/`(\w+)/g), ([, name]) => name)).flat()
    expect(names.toSorted()).toEqual(Object.keys(exported).toSorted())
  })

  it('has examples that pass, and fail if a stream or a run differs', async () => {
    expect(shown.examples).toHaveLength(3)
    const faults = [
      ["toBe('a-(b|)')", "toBe('a-(c|)')", 'The streams differ'],
      ['played.idleAt, 60_003', 'played.idleAt, 60_004', 'AssertionError'],
    ] as const
    const broken = faults.map(([from, to]) => shown.examples.find((code) => code.includes(from))?.replace(from, to))
    const outcomes = await shown.runEach([...shown.examples, ...broken.map(String)])
    expect(outcomes.slice(0, 3)).toEqual(['ran', 'ran', 'ran'])
    for (const [index, [, to, error]] of faults.entries()) expect(outcomes[3 + index], to).toContain(error)
  }, 60_000)
})
