// A file that is long has a reason, and the reason stands in its head.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const most = 250
/** In the comment that a file begins with; a table that a script writes says which. */
const reason = /^\/\/ (?:Over 250 lines: \S+ \S+|Written by scripts\/)/m

const files = ['lib', 'app', 'scripts', 'bench', 'test'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|tsx|js|mjs)$/.test(name) && !/(?:^|\/)(?:generated|node_modules)\//.test(name))
    .map((name) => join(room, name)),
)

function headOf(text: string): string {
  return /^(?:\/\/.*\n)*/.exec(text)?.[0] ?? ''
}

const long = files.flatMap((file) => {
  const text = readFileSync(file, 'utf8')
  const lines = text.split('\n').length - 1
  return lines > most ? [{ file, head: headOf(text) }] : []
})

it('is past 250 lines only with a reason beside it: “Over 250 lines: …”', () => {
  expect(files.length).toBeGreaterThan(1_000)
  expect(long.filter(({ head }) => !reason.test(head)).map(({ file }) => file)).toEqual([])
})

it('gives no such reason where it is short', () => {
  const known = new Set(long.map(({ file }) => file))
  const idle = files.filter(
    (file) => !known.has(file) && /^\/\/ Over 250 lines:/m.test(headOf(readFileSync(file, 'utf8'))),
  )
  expect(idle).toEqual([])
})
