// Tests that the examples of docs/operators.md run, and that its tables are complete.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as exported from '../../lib/operators/index.ts'
import { pageExamples } from '../support/page-examples.ts'
import type { PageExamples } from '../support/page-examples.ts'

const page = 'docs/operators.md'
const wrong = [
  ['the transform is another', 'length <= after', 'length < after'],
  ['it holds on to its source for longer', '^----!', '^---!'],
] as const

let shown: PageExamples
let own: string
/** Codes in groups, by the test that reads their outcomes. */
let groups: Readonly<Record<'transform' | 'step' | 'others', readonly string[]>>
let outcomes: ReadonlyMap<string, string>

beforeAll(async () => {
  shown = pageExamples(page)
  own = shown.examples.find((code) => code.includes('remind(')) ?? ''
  const step = shown.examples.find((code) => code.includes('summary$.subscriptions')) ?? ''
  const pictures = shown.examples.filter((code) => code.includes('expectObservable') && code.includes('perSecond'))
  const providers = shown.examples.filter((code) => code.includes('fallbackTo') && code.includes('expectObservable'))
  const others = shown.examples.filter((code) => /wrap\(scripted|runs\(/.test(code))
  const [picture = ''] = pictures
  groups = {
    transform: [own, ...wrong.map(([, from, to]) => own.replace(from, to))],
    step: [step, step.replace("'p-(c|)'", "'p--(c|)'")],
    others: [...pictures, ...providers, ...others, picture.replace("'---h-m---|'", "'---h-m-h-|'")],
  }
  expect([pictures.length, providers.length, others.length]).toEqual([1, 1, 2])
  // one program for all: a start takes longer than an example
  const codes = [...new Set(Object.values(groups).flat())]
  const each = await shown.runEach(codes)
  outcomes = new Map(codes.map((code, index) => [code, each[index] ?? '']))
}, 60_000)
afterAll(() => {
  shown[Symbol.dispose]()
})

const outcomesOf = (group: keyof typeof groups): (string | undefined)[] =>
  groups[group].map((code) => outcomes.get(code))

const isFunction = ([, value]: [string, unknown]): boolean => typeof value === 'function'
/** A constant beside an operator needs no row of its own, but must be named. */
const isValue = ([, value]: [string, unknown]): boolean => typeof value !== 'function'

describe('docs/operators.md', () => {
  it('has a row for every export of rxpi/operators, and for nothing else', () => {
    const text = readFileSync(page, 'utf8')
    const rows = Array.from(text.matchAll(/^\| `(\w+)\(/gm), ([, name]) => name)
    const [operators, values] = [Object.entries(exported).filter(isFunction), Object.entries(exported).filter(isValue)]
    expect(rows.toSorted()).toEqual(operators.map(([name]) => name).toSorted())
    expect(values.filter(([name]) => !text.includes(`\`${name}\``))).toEqual([])
  })

  it('has a custom transform whose test passes, and fails if the transform is another or unsubscribes later', () => {
    for (const [, from] of wrong) expect(own).toContain(from)
    const [whole, ...broken] = outcomesOf('transform')
    expect(whole).toBe('ran')
    for (const [index, [name]] of wrong.entries()) expect(broken[index], name).toContain('The streams differ')
  })

  it('has a marble test of the step that compacts, which can fail', () => {
    const [whole, broken] = outcomesOf('step')
    expect(whole).toBe('ran')
    expect(broken).toContain('The streams differ')
  })

  it('has examples of providers and runs that run, and marbles that can fail', () => {
    const each = outcomesOf('others')
    expect(each.slice(0, -1)).toEqual(['ran', 'ran', 'ran', 'ran'])
    expect(each.at(-1)).toContain('The streams differ')
  })
})
