// Tests the temporary folders of the tests: what the setup makes, what a file system without the attribute gets, and what is left.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import setup, { ownTemporaryFolder } from './temporary-folders.ts'

/** Whether this file system has the attribute. */
function isExt4(): boolean {
  try {
    return execFileSync('stat', ['-f', '-c', '%T', tmpdir()], { encoding: 'utf8' }).startsWith('ext')
  } catch {
    return false // not Linux
  }
}

describe('a temporary folder of one’s own', () => {
  it('contains temporary files, and is removed with them', () => {
    const before = tmpdir()
    const own = ownTemporaryFolder()
    const made = mkdtempSync(path.join(tmpdir(), 'rxpi-x-'))
    expect([path.dirname(made), path.dirname(own.path)]).toEqual([own.path, before])
    own[Symbol.dispose]()
    expect([tmpdir(), existsSync(made)]).toEqual([before, false])
  })
})

describe('the setup', () => {
  it.runIf(isExt4())(
    'makes a folder with the attribute T once, in which paths keep their length, and removes it',
    () => {
      const before = tmpdir()
      const usual = ownTemporaryFolder()
      usual[Symbol.dispose]()
      const teardown = setup()
      const spread = tmpdir()
      expect(execFileSync('lsattr', ['-d', spread], { encoding: 'utf8' }).split(' ')[0]).toContain('T')
      expect(setup()).toBeUndefined()
      const own = ownTemporaryFolder()
      expect([path.dirname(own.path), own.path.length]).toEqual([spread, usual.path.length])
      own[Symbol.dispose]()
      teardown?.()
      expect([tmpdir(), readdirSync(before)]).toEqual([before, []])
    },
  )

  it('changes nothing where the attribute cannot be set', () => {
    const before = tmpdir()
    vi.stubEnv('PATH', '')
    expect(setup()).toBeUndefined()
    expect([tmpdir(), readdirSync(before)]).toEqual([before, []])
  })
})
