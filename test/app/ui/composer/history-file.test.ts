// Tests the file with the history of prompts.
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { historyEntry, historyLimit } from '../../../../app/ui/editor/prompt-history.ts'
import { openHistory } from '../../../../app/ui/composer/history-file.ts'
import { unitsOf } from '../../../../app/ui/editor/unit.ts'

let home: string
let notices: string[]
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'history-'))
  notices = []
})
afterEach(() => rmSync(home, { recursive: true }))

const open = (cwd = '/project') =>
  openHistory({ cwd, env: { RXPI_HOME: home, HOME: home }, onProblem: (problem) => notices.push(problem) })
const file = () => join(home, 'history', readdirSync(join(home, 'history'))[0] ?? '')

describe('openHistory', () => {
  it('stores entries per folder, in a file that only the user can read', () => {
    const history = open()
    history.add(['one'])
    history.add(['see ', { paste: 'a\nb' }])
    expect(open().entries()).toEqual([['one'], ['see ', { paste: 'a\nb' }]])
    expect(open('/other').entries()).toEqual([])
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(statSync(join(home, 'history')).mode & 0o777).toBe(0o700)
    expect(notices).toEqual([])
  })

  it('stores a repeated entry once', () => {
    const history = open()
    for (const entry of [['one'], ['one'], ['two'], ['one']]) history.add(entry)
    expect(open().entries()).toEqual([['one'], ['two'], ['one']])
  })

  it('skips lines that cannot be parsed', () => {
    open().add(['one'])
    writeFileSync(file(), `${readFileSync(file(), 'utf8')}["cut\n{"no":"entry"}\n[1]\n["two"]\n`)
    expect(open().entries()).toEqual([['one'], ['two']])
  })

  it('is bounded, in memory and on disk', () => {
    open().add(['first'])
    writeFileSync(file(), Array.from({ length: 2 * historyLimit + 1 }, (_, index) => `["${index}"]\n`).join(''))
    const entries = open().entries()
    expect([entries.length, entries.at(-1)]).toEqual([historyLimit, [String(2 * historyLimit)]])
    expect(readFileSync(file(), 'utf8').trim().split('\n')).toHaveLength(historyLimit)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  it('continues in memory and warns once if the file cannot be written', () => {
    writeFileSync(join(home, 'history'), 'no folder')
    const history = open()
    history.add(['one'])
    history.add(['two'])
    expect(history.entries()).toEqual([['one'], ['two']])
    expect(notices).toEqual([expect.stringMatching(/^The prompt history could not be written: .*history/)])
  })
})

describe('historyEntry', () => {
  it.each([
    ['nothing but space', unitsOf(' \n'), undefined],
    ['words', unitsOf('a b'), ['a b']],
    ['a paste', [...unitsOf('see '), { kind: 'paste', number: 3, text: 'x' } as const], ['see ', { paste: 'x' }]],
    ['too much', [{ kind: 'paste', number: 1, text: 'x'.repeat(65_537) } as const], undefined],
  ])('of %s', (_, units, entry) => {
    expect(historyEntry(units)).toEqual(entry)
  })
})
