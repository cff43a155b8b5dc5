// Checks that each anchor of a docs page that code or tests cite exists on that page.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const pages = ['docs/loop.md', 'docs/design/rxjs.md', 'docs/design/security.md']
const cited = /\bdocs\/(?:loop|design\/(?:rxjs|security))\.md#[\w-]*/g

function anchorsOf(page: string): string[] {
  return Array.from(readFileSync(page, 'utf8').matchAll(/<a id="([^"]*)"><\/a>/g), ([, id = '']) => `${page}#${id}`)
}

/** The citations of all sources, each with its file. */
function citations(): { file: string; anchor: string }[] {
  return ['lib', 'app', 'test', 'scripts', 'bench']
    .flatMap((room) => readdirSync(room, { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)))
    .filter((file) => /\.(?:ts|tsx|mjs)$/.test(file) && !file.includes('node_modules'))
    .flatMap((file) => Array.from(readFileSync(file, 'utf8').matchAll(cited), ([anchor]) => ({ file, anchor })))
}

it('has each anchor once', () => {
  const anchors = pages.flatMap(anchorsOf)
  expect(anchors).toEqual([...new Set(anchors)])
})

it('has every anchor that a source cites', () => {
  const known = new Set(pages.flatMap(anchorsOf))
  expect(citations().filter(({ anchor }) => !known.has(anchor))).toEqual([])
})

it.each([
  ['docs/loop.md', Array.from({ length: 37 }, (_, index) => `${index + 1}`)],
  ['docs/design/rxjs.md', Array.from({ length: 21 }, (_, index) => `${index + 1}`)],
  ['docs/design/security.md', Array.from({ length: 30 }, (_, index) => `S${index + 1}`)],
])('%s has its anchors in order', (page, ids) => {
  expect(anchorsOf(page)).toEqual(ids.map((id) => `${page}#${id}`))
})
