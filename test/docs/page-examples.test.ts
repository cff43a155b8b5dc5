// Tests that the examples of the pages run, in one program, and that those with an expectation can fail.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageExamples } from '../support/page-examples.ts'
import type { PageExamples } from '../support/page-examples.ts'

interface Page {
  readonly page: string
  /** The number of its examples. */
  readonly examples: number
  /** A text of an example, another text that breaks it, and the error. */
  readonly faults?: readonly (readonly [from: string, to: string, error: string])[]
}

const pages: readonly Page[] = [
  { page: 'docs/browser.md', examples: 3 },
  {
    page: 'docs/compose.md',
    examples: 3,
    faults: [['(run) => switchMap(run)', '(run) => exhaustMap(run)', 'The streams differ']],
  },
  { page: 'docs/context.md', examples: 4 },
  { page: 'docs/library.md', examples: 4 },
  { page: 'docs/scenarios.md', examples: 1 },
  {
    page: 'docs/testing.md',
    examples: 3,
    faults: [
      ["toBe('a-(b|)')", "toBe('a-(c|)')", 'The streams differ'],
      ['played.idleAt, 60_003', 'played.idleAt, 60_004', 'AssertionError'],
    ],
  },
  { page: 'docs/tools.md', examples: 3 },
  // whole sessions in virtual time are the same byte for byte; with random ids they differ
  { page: 'docs/virtual-time.md', examples: 2, faults: [['ids: countedIds(),', '', 'AssertionError']] },
]

/** `ran` or the error of each example, then of each broken one, by page. */
const outcomes = new Map<string, { readonly whole: readonly string[]; readonly broken: readonly string[] }>()
const opened: PageExamples[] = []

beforeAll(async () => {
  const codes = pages.map(({ page, faults = [] }) => {
    const shown = pageExamples(page)
    opened.push(shown)
    const broken = faults.map(([from, to]) => {
      const code = shown.examples.find((each) => each.includes(from))
      return code?.replace(from, to) ?? `throw new Error('no example of ${page} has the text')`
    })
    return { page, whole: shown.examples, broken }
  })
  // one program for all: a start takes longer than an example
  const all = (await opened[0]?.runEach(codes.flatMap(({ whole, broken }) => [...whole, ...broken]))) ?? []
  let at = 0
  const next = (count: number): readonly string[] => all.slice(at, (at += count))
  for (const { page, whole, broken } of codes)
    outcomes.set(page, { whole: next(whole.length), broken: next(broken.length) })
}, 120_000)
afterAll(() => {
  for (const shown of opened) shown[Symbol.dispose]()
})

describe.each(pages)('$page', ({ page, examples, faults = [] }) => {
  it('has examples that run unchanged', () => {
    expect(outcomes.get(page)?.whole).toEqual(Array.from({ length: examples }, () => 'ran'))
  })

  if (faults.length === 0) return
  it('has examples that fail if a stream or a run differs', () => {
    const broken = outcomes.get(page)?.broken ?? []
    for (const [index, [, to, error]] of faults.entries()) expect(broken[index], to).toContain(error)
  })
})
