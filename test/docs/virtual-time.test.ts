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
  it('has examples that run', async () => {
    expect(shown.examples).toHaveLength(2)
    expect(await shown.runAll(shown.examples)).toBe('ran')
  }, 60_000)

  it('has a session that differs with random ids', async () => {
    const [code = ''] = shown.examples
    expect(await shown.run(code.replace('ids: countedIds(),', ''))).toContain('AssertionError')
  }, 60_000)
})
