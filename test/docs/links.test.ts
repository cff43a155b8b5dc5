// Checks that the links of hand-written pages lead to files and headings; no merge mark is left.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

const pages = [
  'README.md',
  'AGENTS.md',
  'CHANGELOG.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

/** The anchors of a page, as a link names them; '' is the page itself. */
function anchorsOf(page: string): Set<string> {
  const text = readFileSync(page, 'utf8')
  const headings = Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .replaceAll(/<[^>]*>/g, '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
  const explicit = Array.from(text.matchAll(/<a id="([^"]*)"><\/a>/g), ([, id = '']) => id)
  return new Set(['', ...headings, ...explicit])
}

/** The relative links of a page outside its code blocks. */
function linksOf(page: string): { file: string; anchor: string }[] {
  const text = readFileSync(page, 'utf8').replaceAll(/^```.*?^```$/gms, '')
  return Array.from(text.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g), ([, file = '', anchor = '']) => ({
    file: file === '' ? page : normalize(join(dirname(page), file)),
    anchor,
  }))
}

it.each(pages)('%s links to existing files and headings', (page) => {
  const missing = linksOf(page).filter(
    ({ file, anchor }) => !existsSync(file) || (anchor !== '' && !anchorsOf(file).has(anchor)),
  )
  expect(missing).toEqual([])
})

// the formatter turns the marks of a merge into quotes and escapes
it.each(pages)('%s holds no mark of a merge', (page) => {
  const marks = readFileSync(page, 'utf8').match(/^\s*(?:<{7}|\\?={7}|(?:> ?){7})(?: .*)?$/gm)
  expect(marks).toBe(null)
})
