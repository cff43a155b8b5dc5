// Tests that docs/conformance.md matches the cases and the titles of tests, and names faults.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { conformance } from '../../scripts/pages/conformance-page.ts'
import { testsIn } from '../../scripts/checks/tagged-tests.ts'
import type { Chapter } from '../conformance/chapter.ts'

const chapters: readonly Chapter[] = [
  {
    title: 'House',
    about: 'Of doors.',
    sections: [
      {
        id: 'DOOR',
        about: 'Doors.',
        cases: {
          'DOOR-opens': 'It opens.',
        },
      },
    ],
  },
]

/** The tests of a file; `<…>` stands for a tag, so that this file has none. */
const tests = (source: string) => testsIn('test/door.test.ts', source.replaceAll(/<(.+?)>/g, '[$1]'))
const opens = tests("it('opens <DOOR-opens>', () => {})")

describe('docs/conformance.md', () => {
  it('matches cases and tests without a fault; after a change: node scripts/pages/conformance-page.ts', () => {
    const { page, faults } = conformance()
    expect(faults).toEqual([])
    expect(readFileSync('docs/conformance.md', 'utf8')).toBe(page)
  })

  it('has each case with its tests', () => {
    const { page, faults } = conformance(chapters, opens)
    expect(faults).toEqual([])
    expect(page).toContain('1 cases.')
    expect(page).toContain('- **DOOR-opens** It opens.\n  - [door](../test/door.test.ts): “opens”\n')
  })

  it.each([
    ['a case has no test', '', 'DOOR-opens has no test: It opens.'],
    ['a test names no case', "it('x <DOOR-bell>', f)", 'door.test.ts: x names DOOR-bell, which is no case'],
    ['a test is skipped', "it.skip('opens <DOOR-opens>', f)", 'opens shows nothing: it is skipped'],
    ['its suite is skipped', "describe.skip('a', () => { it('b <DOOR-opens>', f) })", 'a › b shows nothing'],
    ['no test runs everywhere', "it.runIf(root)('x <DOOR-opens>', f)", 'DOOR-opens has no test that runs everywhere'],
  ])('is refused if %s', (_, source, fault) => {
    expect(conformance(chapters, tests(source)).faults.join('\n')).toContain(fault)
  })

  it('is refused if a case is listed twice or under another heading', () => {
    const moved: Chapter = {
      title: 'More',
      about: '',
      sections: [{ id: 'WINDOW', about: '', cases: { 'DOOR-opens': 'x' } }],
    }
    expect(conformance([...chapters, moved], opens).faults).toEqual([
      'DOOR-opens stands twice in test/conformance',
      'DOOR-opens stands under WINDOW',
    ])
  })
})

describe('the tags of tests', () => {
  it.each([
    ['a test', "it('opens <DOOR-opens>', f)", ['opens']],
    ['several cases', "it('opens <S9a, DOOR-opens>', f)", ['opens']],
    ['a suite', "describe('a <DOOR-opens>', () => { it('b', f) })", ['a']],
    ['a test in a tagged suite', "describe('a <S1a>', () => { it('b <DOOR-opens>', f) })", ['a', 'b']],
    ['a table', "describe('a', () => { it.each([['x', 1]])('b %s <DOOR-opens>', f) })", ['a', 'b %s']],
    ['a row of a table', "it.each([['x <DOOR-opens>', 1], ['y', 2]])('b %s', f)", ['b %s', 'x']],
    ['a row whose name is the whole title', "it.each([['x <DOOR-opens>', 1], ['y', 2]])('%s', f)", ['%s', 'x']],
    ['a title with quotes', String.raw`it('isn\'t <DOOR-opens>', f)`, ["isn't"]],
    ['a title with values', 'describe(`${name} opens <DOOR-opens>`, f)', ['${name} opens']],
  ])('are read from the end of %s', (_, source, titles) => {
    const shown = tests(source).find(({ shows }) => shows.includes('DOOR-opens'))
    expect(shown).toMatchObject({ file: 'test/door.test.ts', titles, runs: 'always' })
  })

  it.each([
    ['in front of a title', "it('<DOOR-opens> opens', f)"],
    ['in a comment', '// opens <DOOR-opens>'],
  ])('are refused %s', (_, source) => {
    expect(() => tests(source)).toThrow('door.test.ts has 1 tags, of which 0')
  })

  it('ignore brackets of another kind', () => {
    expect(tests("it('ends with [DONE]', () => /[A-Z]/.test(rows[0]))")).toEqual([])
  })
})
