// Tests that the tables of docs/testing.md are complete.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as exported from '../../lib/testing/index.ts'

const page = 'docs/testing.md'

describe('docs/testing.md', () => {
  it('has every export of rxpi/testing, and nothing else', () => {
    const rows = readFileSync(page, 'utf8').matchAll(/^\| (`.+?`) +\|/gm)
    const names = Array.from(rows, ([, cell = '']) => Array.from(cell.matchAll(/`(\w+)/g), ([, name]) => name)).flat()
    expect(names.toSorted()).toEqual(Object.keys(exported).toSorted())
  })
})
