// Tests what a package brings: by the keys rxpi and pi, by the usual folders, and with patterns.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packageContents } from '../../../lib/extensions/packages/package-contents.ts'

let top = ''
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-package-')))
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

function write(...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(path.dirname(path.join(top, name)), { recursive: true })
    writeFileSync(path.join(top, name), '')
  }
}

function declare(content: object): void {
  writeFileSync(path.join(top, 'package.json'), JSON.stringify(content))
}

function found() {
  const { found: lists, problems } = packageContents(top)
  const relative = (files: readonly string[]) => files.map((file) => path.relative(top, file))
  const named = Object.entries(lists).map(([kind, files]) => [kind, relative(files)] as const)
  return {
    ...Object.fromEntries(named.filter(([, files]) => files.length > 0)),
    ...(problems.length > 0 && { problems }),
  }
}

/** Files of each kind in the folders of the usual names. */
const usual = ['extensions/a.ts', 'extensions/b/index.ts', 'extensions/c/lib.md', 'skills/s/SKILL.md', 'prompts/p.md', 'themes/t.json', 'scenarios/x.yaml'] // prettier-ignore
const folders = { skills: ['skills'], prompts: ['prompts'], themes: ['themes'], scenarios: ['scenarios'] }

describe('a package', () => {
  it('brings the folders of the usual names if its package.json says nothing', () => {
    write(...usual)
    expect(found()).toEqual({ extensions: ['extensions/a.ts', 'extensions/b/index.ts'], ...folders })
    declare({ name: 'x', version: '1.2.3' })
    expect(found()).toEqual({ extensions: ['extensions/a.ts', 'extensions/b/index.ts'], ...folders })
    expect(packageContents(top)).toMatchObject({ name: 'x', packageName: 'x', version: '1.2.3', isPi: false })
  })

  it('brings what it declares and nothing else, for rxpi before pi', () => {
    write(...usual, 'more/z.md')
    declare({ pi: { extensions: ['./extensions/a.ts'], prompts: ['more'] } })
    expect(found()).toEqual({ extensions: ['extensions/a.ts'], prompts: ['more'] })
    expect(packageContents(top).isPi).toBe(true)
    declare({ pi: { extensions: ['./extensions/a.ts'] }, rxpi: { skills: ['skills'] } })
    expect(found()).toEqual({ skills: ['skills'] })
  })

  it('brings nothing of an empty declaration', () => {
    write(...usual)
    declare({ pi: {} })
    expect(found()).toEqual({})
  })

  it.each([
    [['extensions/*.ts'], ['extensions/a.ts', 'extensions/d.ts']],
    [
      ['extensions', '!extensions/d.ts'],
      ['extensions/a.ts', 'extensions/b/index.ts'],
    ],
    [['!**/b/**'], ['extensions/a.ts', 'extensions/d.ts']],
    [['+extensions/d.ts', '-extensions/a.ts'], ['extensions/d.ts']],
    [['extensions/{a,d}.ts', '!*d.ts'], ['extensions/a.ts']],
    [['extensions/a.ts', './extensions/a.ts'], ['extensions/a.ts']],
    [['extensions/**'], ['extensions/a.ts', 'extensions/b/index.ts', 'extensions/d.ts']],
  ])('chooses by the patterns %j', (extensions, expected) => {
    write('extensions/a.ts', 'extensions/b/index.ts', 'extensions/d.ts')
    declare({ pi: { extensions } })
    expect(found()).toEqual({ extensions: expected })
  })

  it('leaves out files of other kinds by exclusions, and bundled packages may be named', () => {
    write('prompts/a.md', 'prompts/b.md', 'node_modules/other/extensions/x.ts')
    declare({ pi: { prompts: ['prompts', '!prompts/b.md'], extensions: ['node_modules/other/extensions'] } })
    expect(found()).toEqual({ prompts: ['prompts/a.md'], extensions: ['node_modules/other/extensions/x.ts'] })
  })

  it('names what it cannot bring', () => {
    write('extensions/a.ts', 'data.txt')
    symlinkSync('/etc', path.join(top, 'away'))
    declare({ pi: { extensions: ['gone.ts', 'data.txt', 'extensions/a.ts'], skills: ['away', '../..'] } })
    const problem = (name: string, message: RegExp) => ({ path: path.join(top, name), message: expect.stringMatching(message) as string }) // prettier-ignore
    expect(found()).toEqual({
      extensions: ['extensions/a.ts'],
      problems: [
        problem('gone.ts', /no such file/i),
        problem('data.txt', /no module/),
        problem('away', /leads out of/),
        problem('../..', /leads out of/),
      ],
    })
  })
})
