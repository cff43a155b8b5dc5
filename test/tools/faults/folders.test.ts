// Tests the faults of folders and searches: very many entries, odd names, hostile rule files, a search that dies.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFindTool } from '../../../lib/tools/search/find.ts'
import { createGrepTool } from '../../../lib/tools/search/grep.ts'
import { nodeEngine, ripgrepEngine } from '../../../lib/tools/search/choose-engine.ts'
import { tools } from '../../../lib/tools/index.ts'
import { resultOf, testContext, textOf } from '../../contract/tool-contract.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { callTools } from './call-tools.ts'

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-faults-')))
const at = (name: string): string => path.join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

const engines = [
  ['ripgrep', {}],
  ['node', { engine: nodeEngine }],
] as const

describe('a folder of 10⁶ files [TOOLS-faults-folders]', () => {
  const count = sampleSize(10_000, 1_000_000)

  it('is listed, found and searched in flat memory, and the result says what is left out', async () => {
    // a shell writes a million names faster than Node
    mkdirSync(at('many'))
    execFileSync('sh', ['-c', `cd "$1" && seq -f 'f%.0f.txt' ${count} | xargs touch && echo needle > f7.txt`, 'sh', at('many')]) // prettier-ignore
    const calls = [
      ['ls', { path: '/bin', limit: 1 }],
      ['ls', { path: 'many' }],
      ['read', { path: 'many', offset: 501, limit: 2 }],
      ['find', { pattern: '*.txt', path: 'many' }],
      ['find', { pattern: 'f7.txt', path: 'many' }],
      ['grep', { pattern: 'needle', path: 'many' }],
    ] as const
    const [base, ls, read, all, one, grep] = await callTools(folder, calls)
    const shown = count > 100_000 ? 'over 100000' : `${count}`
    expect(ls?.text).toMatch(
      new RegExp(`\\n\\[Entries 1-500 of ${shown} are shown\\. Continue with read, offset=501\\.`),
    )
    expect(read?.text).toMatch(new RegExp(`^f.*\\.txt\\nf.*\\.txt\\n\\[Entries 501-502 of ${shown} are shown`))
    expect(all?.text).toMatch(new RegExp(`\\n\\[1000 of ${count > 100_000 ? 'over 1\\d{5}' : count} paths are shown`))
    expect(one?.text).toBe('many/f7.txt')
    expect(grep?.text).toBe('many/f7.txt:1: needle')
    expect((grep?.peakMiB ?? Infinity) - (base?.peakMiB ?? 0)).toBeLessThan(count > 100_000 ? 150 : 40)
    rmSync(at('many'), { recursive: true })
  })
})

describe.each(engines)('names that could be mistaken, by %s [TOOLS-faults-folders]', (_, options) => {
  const names = ['a\nb.md', String.raw`"a\nb.md"`, 'c.md:1: text.md', 'line\u{2028}end.md']
  beforeAll(() => {
    mkdirSync(at('odd'), { recursive: true })
    for (const name of names) writeFileSync(at(`odd/${name}`), 'word\n')
  })

  it('are quoted as JSON, which reads back as the name', async () => {
    const context = testContext(at('odd'))
    const found = textOf(await resultOf(createFindTool(options), { pattern: '*' }, context)).split('\n')
    expect(found.map((line) => (line.startsWith('"') ? (JSON.parse(line) as string) : line)).sort()).toEqual(
      names.sort(),
    )
    const lines = textOf(await resultOf(createGrepTool(options), { pattern: 'word' }, context)).split('\n')
    const files = lines.map((line) => /^(?<quoted>".*"):1: word$/.exec(line)?.groups?.['quoted'] ?? line)
    expect(files.map((file) => JSON.parse(file) as string).sort()).toEqual(names.sort())
  })
})

describe.runIf(process.platform === 'linux').each(engines)(
  'a name that is not UTF-8, by %s [TOOLS-faults-folders]',
  (_, options) => {
    it('is shown by ls with U+FFFD, and left out by searches, since no call could name it', async () => {
      mkdirSync(at('bytes'), { recursive: true })
      const name = Buffer.concat([Buffer.from(`${at('bytes')}/a`), Buffer.of(0xff), Buffer.from('.txt')])
      for (const each of [name, at('bytes/good.txt')]) writeFileSync(each, 'word\n')
      const context = testContext(at('bytes'))
      const [list, find, grep] = [tools.ls, createFindTool(options), createGrepTool(options)]
      expect(
        textOf(await resultOf(list, {}, context))
          .split('\n')
          .sort(),
      ).toEqual(['a\u{FFFD}.txt', 'good.txt'])
      expect(textOf(await resultOf(find, { pattern: '*.txt' }, context))).toBe('good.txt')
      expect(textOf(await resultOf(grep, { pattern: 'word' }, context))).toBe('good.txt:1: word')
    })
  },
)

describe('a listing [TOOLS-faults-folders]', () => {
  it('quotes names that could be mistaken, and names that end like a mark of a link or pipe', async () => {
    mkdirSync(at('marks'))
    for (const name of ['a\nb', '"a\\nb"', 'link@', 'plain']) writeFileSync(at(`marks/${name}`), '')
    symlinkSync('plain', at('marks/link'))
    expect(textOf(await resultOf(tools.ls, {}, testContext(at('marks')))).split('\n')).toEqual([
      String.raw`"\"a\\nb\""`,
      String.raw`"a\nb"`,
      'link@',
      '"link@"',
      'plain',
    ])
  })
})

describe.each(engines)('a .gitignore by %s [TOOLS-faults-folders]', (_, options) => {
  it('that never ends costs a search no memory, and its rules are left out', async () => {
    mkdirSync(at('endless/deep'), { recursive: true })
    for (const name of ['endless/one.txt', 'endless/deep/two.txt']) writeFileSync(at(name), 'word\n')
    rmSync(at('endless/deep/.gitignore'), { force: true })
    symlinkSync('/dev/zero', at('endless/deep/.gitignore'))
    const context = testContext(at('endless'))
    expect(textOf(await resultOf(createFindTool(options), { pattern: '*.txt' }, context))).toBe('deep/two.txt\none.txt')
    expect(textOf(await resultOf(createGrepTool(options), { pattern: 'word' }, context))).toBe(
      'deep/two.txt:1: word\none.txt:1: word',
    )
  })
})

describe('a search whose ripgrep is killed [TOOLS-faults-folders]', () => {
  it('goes on in plain Node, with the whole result', async () => {
    mkdirSync(at('killed'))
    writeFileSync(at('killed/one.txt'), 'word\n')
    writeFileSync(at('rg'), `#!/bin/sh\nprintf 'begun.txt\\0'\nkill -9 $$\n`)
    chmodSync(at('rg'), 0o755)
    const context = testContext(at('killed'))
    const options = { engine: () => ripgrepEngine(at('rg')) }
    const found = await resultOf(createFindTool(options), { pattern: '*' }, context)
    expect([textOf(found), found.details]).toEqual(['one.txt', expect.objectContaining({ engine: 'node' })])
    expect(textOf(await resultOf(createGrepTool(options), { pattern: 'word' }, context))).toBe('one.txt:1: word')
  })
})
