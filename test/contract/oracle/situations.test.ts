// Tests the list of situations and the tables of docs/oracle.md.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { differencesPage } from './differences-page.ts'
import { reasons } from './reasons.ts'
import { situations } from './situations/index.ts'

const page = readFileSync('docs/oracle.md', 'utf8')
const decisions = readdirSync('docs/decisions').map((file) => file.slice(0, 4))

describe('the situations', () => {
  it('have unique names', () => {
    const names = situations.map(({ name }) => name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it('need every listed reason', () => {
    const used = new Set(situations.flatMap(({ differs = [] }) => differs.map(({ because }) => because)))
    expect(Object.keys(reasons).filter((name) => !used.has(name as keyof typeof reasons))).toEqual([])
  })
})

describe('the reasons', () => {
  it.each(Object.entries(reasons))('%s names a case that is marked ≠ pi, or an existing decision', (_, { where }) => {
    const [, decision] = /^docs\/decisions\/(\d{4})/.exec(where) ?? []
    if (decision === undefined) expect(where).toMatch(/^LOOP (?:6|15|24|30), ≠ pi$/)
    else expect(decisions).toContain(decision)
  })
})

it('docs/oracle.md has the tables of the data', () => {
  const cells = (text: string): string[] => text.split('\n').flatMap((line) => line.split(/ *\| */).filter(Boolean))
  const tables = page.split('\n').filter((line) => line.startsWith('|'))
  const isRule = (cell: string): boolean => /^-+$/.test(cell)
  expect(cells(tables.join('\n')).filter((cell) => !isRule(cell))).toEqual(
    cells(differencesPage(situations)).filter((cell) => !isRule(cell)),
  )
})
