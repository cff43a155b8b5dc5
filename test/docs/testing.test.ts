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

  it('has examples that pass', async () => {
    expect(await shown.runAll(shown.examples)).toBe('ran')
    expect(shown.examples).toHaveLength(3)
  })

  it.each([
    ['a stream', "toBe('a-(b|)')", "toBe('a-(c|)')", 'The streams differ'],
    ['a run', 'played.idleAt, 60_003', 'played.idleAt, 60_004', 'AssertionError'],
  ])('has examples that fail if %s differs', async (_, from, to, error) => {
    const example = shown.examples.find((code) => code.includes(from)) ?? ''
    expect(await shown.run(example.replace(from, to))).toContain(error)
  })
})
