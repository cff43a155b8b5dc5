// Tests that the examples of docs/replace-a-stage.md run: each asserts what it shows.
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageExamples } from '../support/page-examples.ts'
import type { PageExamples } from '../support/page-examples.ts'

let shown: PageExamples

beforeAll(() => {
  shown = pageExamples('docs/replace-a-stage.md')
})
afterAll(() => {
  shown[Symbol.dispose]()
})

const withIndexedDb = { NODE_OPTIONS: `--import ${path.resolve('test/support/fake-indexeddb.ts')}` }

describe('docs/replace-a-stage.md', () => {
  it('has an example of each stage, and of a database that answers later, which runs, and which can fail', async () => {
    expect(shown.examples).toHaveLength(9)
    const store = shown.examples.find((each) => each.includes('storeContract')) ?? ''
    const broken = store.replace('latest: (cwd) =>', 'latest: (cwd) => cwd === cwd ? undefined :')
    const outcomes = await shown.runEach([...shown.examples, broken], withIndexedDb)
    expect(outcomes.slice(0, -1)).toEqual(shown.examples.map(() => 'ran'))
    expect(outcomes.at(-1)).toContain('written to last')
  }, 60_000)
})
