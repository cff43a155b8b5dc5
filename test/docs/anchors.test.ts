// Checks that each page and anchor below docs that code or tests cite exists.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

interface Citation {
  readonly file: string
  readonly page: string
  readonly anchor: string
}

const cited = /\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g

/** The numbered anchors of a page, in order. */
function numbersOf(page: string): string[] {
  return Array.from(readFileSync(page, 'utf8').matchAll(/<a id="([^"]*)"><\/a>/g), ([, id = '']) => id)
}

/** All anchors of a page: numbers and headings. */
function anchorsOf(page: string): Set<string> {
  const headings = Array.from(readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
  return new Set([...headings, ...numbersOf(page)])
}

/** The citations of all sources, each with its file. */
function citations(): Citation[] {
  return ['lib', 'app', 'test', 'scripts', 'bench', 'examples']
    .flatMap((room) => readdirSync(room, { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)))
    .filter((file) => /\.(?:ts|tsx|mjs)$/.test(file) && !file.includes('node_modules'))
    .flatMap((file) =>
      Array.from(readFileSync(file, 'utf8').matchAll(cited), ([, page = '', anchor = '']) => ({ file, page, anchor })),
    )
}

it('has every page and anchor that a source cites', () => {
  const missing = citations().filter(
    ({ page, anchor }) => !existsSync(page) || (anchor !== '' && !anchorsOf(page).has(anchor)),
  )
  expect(missing).toEqual([])
})

it.each([
  ['docs/loop.md', Array.from({ length: 37 }, (_, index) => `${index + 1}`)],
  ['docs/design/rxjs.md', Array.from({ length: 22 }, (_, index) => `${index + 1}`)],
  ['docs/design/security.md', Array.from({ length: 30 }, (_, index) => `S${index + 1}`)],
])('%s has its numbered anchors once and in order', (page, ids) => {
  expect(numbersOf(page)).toEqual(ids)
})
