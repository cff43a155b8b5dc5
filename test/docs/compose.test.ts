// Tests that the examples of docs/compose.md run, that its pictures can fail, and that its table of hot and cold is true.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageExamples } from '../support/page-examples.ts'
import type { PageExamples } from '../support/page-examples.ts'

let shown: PageExamples
let pictures: string

beforeAll(() => {
  shown = pageExamples('docs/compose.md')
  pictures = shown.examples.find((code) => code.includes('function draw')) ?? ''
})
afterAll(() => {
  shown[Symbol.dispose]()
})

describe('docs/compose.md', () => {
  it('has examples that run, and pictures that fail if an operator does something else', async () => {
    expect(shown.examples).toHaveLength(3)
    expect(pictures).toContain('(run) => switchMap(run)')
    const broken = pictures.replace('(run) => switchMap(run)', '(run) => exhaustMap(run)')
    const outcomes = await shown.runEach([...shown.examples, broken])
    expect(outcomes.slice(0, -1)).toEqual(['ran', 'ran', 'ran'])
    expect(outcomes.at(-1)).toContain('The streams differ')
  }, 60_000)
})
