// Tests that the examples of docs/tools.md run.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pageExamples } from '../support/page-examples.ts'
import type { PageExamples } from '../support/page-examples.ts'

let shown: PageExamples

beforeAll(() => {
  shown = pageExamples('docs/tools.md')
})
afterAll(() => {
  shown[Symbol.dispose]()
})

it('docs/tools.md has examples that run unchanged', async () => {
  expect(await shown.runAll(shown.examples)).toBe('ran')
  expect(shown.examples).toHaveLength(3)
}, 60_000)
