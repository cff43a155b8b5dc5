// Tests which files of a folder are found, and what is reported of the others.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { walkFolder } from '../../../lib/context/files/walk-folder.ts'

let top = ''
const at = (name: string): string => path.join(top, name)
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-walk-')))
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

describe('walkFolder', () => {
  it('reports a chosen pipe, also behind a link, and takes regular files', () => {
    writeFileSync(at('a.md'), 'a')
    execFileSync('mkfifo', [at('b.md')])
    symlinkSync(at('b.md'), at('c.md'))
    mkdirSync(at('d.md'))
    const { files, problems } = walkFolder(top, { choose: (names) => ({ files: names, descend: false }) })
    expect(files.map((file) => file.path)).toEqual([at('a.md')])
    expect(problems).toEqual(
      ['b.md', 'c.md'].map((name) => ({ path: at(name), level: 'error', message: 'it is no regular file' })),
    )
  })
})
