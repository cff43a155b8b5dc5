// Tests that the examples of docs/virtual-time.md run: whole sessions in virtual time, byte for byte the same.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageExamples } from '../support/page-examples.ts'
import type { PageExamples } from '../support/page-examples.ts'

let shown: PageExamples

beforeAll(() => {
  shown = pageExamples('docs/virtual-time.md')
})
afterAll(() => {
  shown[Symbol.dispose]()
})

describe('docs/virtual-time.md', () => {
  it('has examples that run, and a session that differs with random ids', async () => {
    expect(shown.examples).toHaveLength(2)
    const [code = ''] = shown.examples
    const outcomes = await shown.runEach([...shown.examples, code.replace('ids: countedIds(),', '')])
    expect(outcomes.slice(0, -1)).toEqual(['ran', 'ran'])
    expect(outcomes.at(-1)).toContain('AssertionError')
  }, 60_000)
})
