// Checks the pages of docs/decisions: their sections, the index, and every reference to a page.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const folder = 'docs/decisions'
const index = readFileSync(join(folder, 'README.md'), 'utf8')
const files = readdirSync(folder).filter((file) => file !== 'README.md')
const pages = files.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
const numbers = files.map((file) => file.slice(0, 4))

/** Page files that a text links to. */
const linked = (text: string): string[] => [...text.matchAll(/\]\(([^)/]+\.md)\)/g)].map(([, file = '']) => file)

const superseded = (text: string): boolean => /^- Status: superseded by /m.test(text)

describe('a decision page', () => {
  it.each(pages)('$file has its number, status, date, room and sections', ({ file, text }) => {
    expect(file).toMatch(/^\d{4}(-[a-z0-9]+){2,5}\.md$/)
    expect(text).toMatch(new RegExp(`^# ${file.slice(0, 4)}\\. \\S`))
    expect(text).toMatch(/^- Status: (accepted|superseded by \[\d{4}\]\(\d{4}-[a-z0-9-]+\.md\))$/m)
    expect(text).toMatch(/^- Date: \d{4}-\d{2}-\d{2}$/m)
    expect(text).toMatch(/^- Room: [a-z]+(, [a-z]+)*$/m)
    const sections = [...text.matchAll(/^## (.*)$/gm)].map(([, name]) => name)
    expect([...new Set([...sections, 'Rejected'])]).toEqual(['Context', 'Decision', 'Rejected'])
    expect(linked(text).filter((to) => !files.includes(to))).toEqual([])
  })

  it('has a number of its own', () => {
    expect(numbers).toEqual([...new Set(numbers)])
  })

  it('is superseded only by a page that names it', () => {
    const unnamed = pages.filter(({ file, text }) => {
      const successor = /^- Status: superseded by \[\d{4}\]\((.*)\)$/m.exec(text)?.[1]
      return successor !== undefined && !linked(readFileSync(join(folder, successor), 'utf8')).includes(file)
    })
    expect(unnamed.map(({ file }) => file)).toEqual([])
  })
})

describe('the index', () => {
  it('lists every page exactly once', () => {
    expect(linked(index).toSorted()).toEqual(files.toSorted())
  })

  it('lists superseded pages, and only these, in its last section', () => {
    const last = index.slice(index.lastIndexOf('\n## '))
    expect(last).toMatch(/^\n## Superseded\n/)
    expect(linked(last)).toEqual(pages.filter(({ text }) => superseded(text)).map(({ file }) => file))
  })
})

it('references to docs/decisions name pages that exist', () => {
  const roots = ['app', 'bench', 'bin', 'docs', 'examples', 'lib', 'scripts', 'test']
  const inRoots = roots.flatMap((root) =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  const sources = [...inRoots, ...readdirSync('.')].filter((file) => /\.(ts|tsx|js|mjs|md|json)$/.test(file))
  const dangling = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/docs\/decisions\/(\d{4})(-[a-z0-9-]+\.md)?/g)]
      .filter(
        ([, number = '', rest]) => !(rest === undefined ? numbers.includes(number) : files.includes(number + rest)),
      )
      .map(([reference]) => `${file}: ${reference}`),
  )
  expect(dangling).toEqual([])
})
