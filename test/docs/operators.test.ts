// Tests that the examples of docs/operators.md run, and that its tables are complete.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as exported from '../../lib/operators/index.ts'
import { pageExamples } from '../support/page-examples.ts'
import type { PageExamples } from '../support/page-examples.ts'

const page = 'docs/operators.md'
let shown: PageExamples
let own: string
let step: string

beforeAll(() => {
  shown = pageExamples(page)
  own = shown.examples.find((code) => code.includes('remind(')) ?? ''
  step = shown.examples.find((code) => code.includes('summary$.subscriptions')) ?? ''
})
afterAll(() => {
  shown[Symbol.dispose]()
})

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

  const wrong = [
    ['the transform is another', 'length <= after', 'length < after'],
    ['it holds on to its source for longer', '^----!', '^---!'],
  ] as const

  it('has a custom transform whose test passes, and fails if the transform is another or unsubscribes later', async () => {
    for (const [, from] of wrong) expect(own).toContain(from)
    const outcomes = await shown.runEach([own, ...wrong.map(([, from, to]) => own.replace(from, to))])
    expect(outcomes[0]).toBe('ran')
    for (const [index, [name]] of wrong.entries()) expect(outcomes[index + 1], name).toContain('The streams differ')
  }, 60_000)

  it('has a marble test of the step that compacts, which can fail', async () => {
    const [whole, broken] = await shown.runEach([step, step.replace("'p-(c|)'", "'p--(c|)'")])
    expect(whole).toBe('ran')
    expect(broken).toContain('The streams differ')
  }, 60_000)

  it('has examples of providers and runs that run, and marbles that can fail', async () => {
    const pictures = shown.examples.filter((code) => code.includes('expectObservable') && code.includes('perSecond'))
    const providers = shown.examples.filter((code) => code.includes('fallbackTo') && code.includes('expectObservable'))
    const others = shown.examples.filter((code) => /wrap\(scripted|runs\(/.test(code))
    expect([pictures.length, providers.length, others.length]).toEqual([1, 1, 2])
    const all = [...pictures, ...providers, ...others]
    const [code = ''] = pictures
    const outcomes = await shown.runEach([...all, code.replace("'---h-m---|'", "'---h-m-h-|'")])
    expect(outcomes.slice(0, -1)).toEqual(all.map(() => 'ran'))
    expect(outcomes.at(-1)).toContain('The streams differ')
  }, 60_000)
})
