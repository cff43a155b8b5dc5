// Tests that the example of docs/scenarios.md runs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageExamples } from '../support/page-examples.ts'
import type { PageExamples } from '../support/page-examples.ts'

let shown: PageExamples

beforeAll(() => {
  shown = pageExamples('docs/scenarios.md')
})
afterAll(() => {
  shown[Symbol.dispose]()
})

describe('docs/scenarios.md', () => {
  it('has an example that runs unchanged', async () => {
    expect(await shown.runAll(shown.examples)).toBe('ran')
    expect(shown.examples).toHaveLength(1)
  }, 60_000)
})
