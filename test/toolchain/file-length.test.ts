// Tests that each long file gives a reason in its head.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const most = 250
/** In the comment at the beginning of a file; a generated table names its script. */
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

it('exceeds 250 lines only with a reason: “Over 250 lines: …”', () => {
  expect(files.length).toBeGreaterThan(1_000)
  expect(long.filter(({ head }) => !reason.test(head)).map(({ file }) => file)).toEqual([])
})

it('has no such reason if it is short', () => {
  const known = new Set(long.map(({ file }) => file))
  const idle = files.filter(
    (file) => !known.has(file) && /^\/\/ Over 250 lines:/m.test(headOf(readFileSync(file, 'utf8'))),
  )
  expect(idle).toEqual([])
})
