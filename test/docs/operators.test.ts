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

  it('has a custom transform whose test passes', async () => {
    expect(await shown.run(own)).toBe('ran')
  })

  it.each([
    ['the transform is another', 'length <= after', 'length < after'],
    ['it holds on to its source for longer', '^----!', '^---!'],
  ])('has a test that fails if %s', async (_, from, to) => {
    expect(own).toContain(from)
    expect(await shown.run(own.replace(from, to))).toContain('The streams differ')
  })

  it('has a marble test of the step that compacts, which can fail', async () => {
    expect(await shown.run(step)).toBe('ran')
    expect(await shown.run(step.replace("'p-(c|)'", "'p--(c|)'"))).toContain('The streams differ')
  })

  it('has examples of providers and runs that run, and marbles that can fail', async () => {
    const pictures = shown.examples.filter((code) => code.includes('expectObservable') && code.includes('perSecond'))
    const providers = shown.examples.filter((code) => code.includes('fallbackTo') && code.includes('expectObservable'))
    const others = shown.examples.filter((code) => /wrap\(scripted|runs\(/.test(code))
    expect([pictures.length, providers.length, others.length]).toEqual([1, 1, 2])
    expect(await shown.runAll([...pictures, ...providers, ...others])).toBe('ran')
    const [code = ''] = pictures
    expect(await shown.run(code.replace("'---h-m---|'", "'---h-m-h-|'"))).toContain('The streams differ')
  }, 60_000)
})
