// Tests that each block of docs/first-hour.md and docs/first-week.md is part of a recording.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

describe.each(['first-hour', 'first-week'])('docs/%s.md', (name) => {
  const page = readFileSync(`docs/${name}.md`, 'utf8')
  const folder = `test/${name}/seen`
  const recordings = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  const blocks = Array.from(page.matchAll(/^```(\w*)\n(.*?)^```$/gms), ([, kind = '', text = '']) => ({ kind, text }))

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
