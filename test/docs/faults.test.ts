// Tests that each fault of docs/faults.md names a test that exists.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const rows = readFileSync('docs/faults.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| --') && !line.startsWith('| fault'))
  .map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim())) // prettier-ignore

it('lists the faults of the issue, with result and test', () => {
  expect(rows.length).toBeGreaterThan(18)
  for (const row of rows) expect(row).toHaveLength(3)
  const untested = rows.filter(([, , test = '']) => test === '–').map(([fault]) => fault)
  expect(untested).toEqual([])
})

it.each(rows.filter(([, , test]) => test !== '–'))('%s: its test exists', (_fault, result = '', test = '') => {
  expect(result).toMatch(/\w/)
  const { file = '', title = '' } = /\]\(\.\.\/(?<file>[^)]+)\): “(?<title>.+)”$/.exec(test)?.groups ?? {}
  expect(readFileSync(path.resolve(file), 'utf8').replaceAll("\\'", "'")).toContain(`'${title}'`)
})
