// Tests that the tables of docs/testing.md are complete, and what it says about the processes of tests.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as exported from '../../lib/testing/index.ts'
import { isFull } from '../support/sample-size.ts'

const page = 'docs/testing.md'

describe('docs/testing.md', () => {
  it('has every export of rxpi/testing, and nothing else', () => {
    const rows = readFileSync(page, 'utf8').matchAll(/^\| (`.+?`) +\|/gm)
    const names = Array.from(rows, ([, cell = '']) => Array.from(cell.matchAll(/`(\w+)/g), ([, name]) => name)).flat()
    expect(names.toSorted()).toEqual(Object.keys(exported).toSorted())
  })

  it('names the flag of V8 in shared processes, such as this one, which the long suites do not have', () => {
    expect(readFileSync(page, 'utf8')).toContain('(`--max-opt=2`)')
    expect(process.execArgv.includes('--max-opt=2')).toBe(!isFull)
  })
})
