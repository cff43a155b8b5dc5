// Checks the pictures of the terminal UI: well-formed, small, without scripts and without a path of a machine.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const moving = readFileSync('docs/rxpi.svg', 'utf8')

/** The first tag that has no counterpart or an attribute without quotes. */
function firstFault(xml: string): string | undefined {
  const open: string[] = []
  for (const [tag, slash = '', name = '', attributes = '', end = ''] of xml.matchAll(/<(\/?)([\w:]*)([^>]*?)(\/?)>/g)) {
    if (!/^(?:\s+[\w:-]+="[^"<]*")*\s*$/.test(attributes)) return tag
    if (slash === '/' && open.pop() !== name) return tag
    if (slash === '' && end === '') open.push(name)
  }
  const text = xml.replaceAll(/<[^>]*>/g, '')
  return open.at(-1) ?? /<|&(?!amp;|lt;)/.exec(text)?.[0]
}

describe.each(['docs/rxpi.svg', 'docs/ui.svg'])('%s', (file) => {
  const picture = readFileSync(file, 'utf8')

  it('is well-formed and has no script and no address', () => {
    expect(firstFault(picture)).toBeUndefined()
    expect(picture).not.toMatch(/<script|<foreignObject|\son\w+=|javascript:|@import|url\(/i)
    expect(picture.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/https?:/)
  })

  it('names no path of the machine that drew it', () => {
    expect(picture).not.toMatch(/\/tmp\b|\/root\b|\/work\b|\/Users\b|\/home\/(?!someone\b)|\.npmrc|npm warn/)
  })
})

describe('the moving picture', () => {
  it('is small', () => {
    expect(moving.length).toBeLessThan(100_000)
  })

  it('shows a question, a change, its diff and how it is undone [FIRST-picture]', () => {
    for (const text of [
      'What is in this folder?',
      'Good morning',
      'Changes of this session',
      'Undone: restored greet.js',
    ])
      expect(moving).toContain(text)
  })

  it('stands at the beginning of the README, with words for it', () => {
    const [begin = ''] = readFileSync('README.md', 'utf8').split('\n## ')
    expect(begin).toMatch(/!\[[^\]]{40,}\]\(docs\/rxpi\.svg\)/)
  })

  it('is not in the package; its link leads to a page that is', () => {
    const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly files: readonly string[] }
    expect(files).not.toContain('docs/rxpi.svg')
    expect(files).toEqual(expect.arrayContaining(['docs/**/*.md', 'docs/ui.svg']))
    expect(readFileSync('README.md', 'utf8')).toContain('](docs/rxpi.svg)](docs/ui.md)')
  })
})
