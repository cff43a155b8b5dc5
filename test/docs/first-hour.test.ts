// Tests that each block of docs/first-hour.md is part of a recording of test/first-hour.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const page = readFileSync('docs/first-hour.md', 'utf8')
const folder = 'test/first-hour/seen'
const recordings = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
const blocks = Array.from(page.matchAll(/^```(\w*)\n(.*?)^```$/gms), ([, kind = '', text = '']) => ({ kind, text }))

describe('docs/first-hour.md', () => {
  it('shows recorded output only', () => {
    expect(blocks.length).toBeGreaterThan(10)
    expect(blocks.filter(({ kind }) => kind !== 'console')).toEqual([])
    expect(blocks.filter(({ text }) => !recordings.some((each) => `\n${each}`.includes(`\n${text}`)))).toEqual([])
  })

  it('links to existing files and headings', () => {
    const links = Array.from(page.matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g), ([, file = '', heading = '']) => ({
      file: join('docs', file),
      heading,
    }))
    const missing = links.filter(({ file, heading }) => !existsSync(file) || !headingsOf(file).has(heading))
    expect(missing).toEqual([])
  })
})

/** In the form of links; '' is the file itself. */
function headingsOf(file: string): Set<string> {
  const headings = Array.from(readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
  return new Set(['', ...headings])
}
