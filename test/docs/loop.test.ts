// docs/loop.md and the tests agree: each case names the files that hold it, and each file's cases name it.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const cases = 37

interface Row {
  readonly number: number
  /** Paths of test files, from the project's folder. */
  readonly files: readonly string[]
  /** The last column as it stands. */
  readonly text: string
}

/** The rows of the page's table. */
function rowsOf(page: string): Row[] {
  const lines = page.matchAll(/^\| (\d+) +\|.*\| (\S.*?) +\|$/gm)
  return Array.from(lines, ([, number, text = '']) => {
    const links = text.matchAll(/\[(.+?)\]\(\.\.\/(test\/(.+?)\.test\.ts)\)/g)
    return { number: Number(number), text, files: Array.from(links, ([, , file = '']) => file) }
  })
}

/** The cases that this source's suites and tests name: what they are called begins with `LOOP <number>`. */
function casesIn(source: string): number[] {
  const named = source.matchAll(/\(\s*['"`]LOOP (\d+)\b/g)
  return [...new Set(Array.from(named, ([, number]) => Number(number)))]
}

/** Every fault of a page against test files by their paths. */
function faultsOf(page: string, sources: ReadonlyMap<string, string>): string[] {
  const rows = rowsOf(page)
  const numbers = rows.map(({ number }) => number)
  const inOrder = Array.from({ length: cases }, (_, index) => index + 1)
  const unheld = rows.flatMap(({ number, files, text }) =>
    files.length > 0 || text.startsWith('lands with ') ? [] : [`case ${number} has neither a test nor a reason`],
  )
  const empty = rows.flatMap(({ number, files }) =>
    files.flatMap((file) =>
      casesIn(sources.get(file) ?? '').includes(number) ? [] : [`${file} has no LOOP ${number}`],
    ),
  )
  const unnamed = [...sources].flatMap(([file, source]) =>
    casesIn(source).flatMap((number) =>
      rows.some((row) => row.number === number && row.files.includes(file)) ? [] : [`case ${number} lacks ${file}`],
    ),
  )
  return [
    ...(numbers.join() === inOrder.join() ? [] : [`the rows are ${numbers.join()}`]),
    ...[...unheld, ...empty, ...unnamed],
  ]
}

const page = readFileSync('docs/loop.md', 'utf8')
const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'))
const sources = new Map(
  files
    .map((name) => path.posix.join('test', name))
    .filter((file) => file !== 'test/docs/loop.test.ts')
    .map((file) => [file, readFileSync(file, 'utf8')]),
)

describe('docs/loop.md', () => {
  it('names for each case the tests that hold it, and for each test its case', () => {
    expect(faultsOf(page, sources)).toEqual([])
  })

  it.each<[string, string, string]>([
    ['a row is missing', page.replace(/^\| 7 .*\n/m, ''), 'the rows are 1,2,3,4,5,6,8'],
    ['a row names nothing', page.replace(/^(\| 7 .*\| ).*\|$/m, '$1– |'), 'case 7 has neither a test nor a reason'],
    ['a file is not there', page.replaceAll('loop/garbage.test', 'loop/none.test'), 'loop/none.test.ts has no LOOP 23'],
    ['a file is left out', page.replace(/, \[session\/abort\]\S+/, ''), 'case 24 lacks test/session/abort.test.ts'],
    ['a file holds another case', page.replaceAll('loop/scale', 'loop/queues'), 'queues.test.ts has no LOOP 34'],
  ])('is known to be wrong where %s', (_, changed, fault) => {
    expect(changed).not.toBe(page)
    expect(faultsOf(changed, sources).join('\n')).toContain(fault)
  })
})
