// Tests what counts as a git repository: a `.git` with content, and not the placeholder of a sandbox.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRepository, repositoryRoot } from '../../../lib/host/files/repository-root.ts'
import { holdPlaceholders } from '../../../lib/host/sandbox/guarded-paths.ts'

let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-root-')))
  mkdirSync(path.join(folder, 'sub'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})
const at = (name: string): string => path.join(folder, name)

describe('a folder is a repository', () => {
  it('if its .git has content', () => {
    mkdirSync(at('.git'))
    writeFileSync(at('.git/HEAD'), 'ref: refs/heads/main\n')
    expect(isRepository(folder)).toBe(true)
    expect(repositoryRoot(at('sub'))).toBe(folder)
  })

  it('if its .git is a file, as in a worktree and a submodule', () => {
    writeFileSync(at('.git'), 'gitdir: elsewhere\n')
    expect(isRepository(folder)).toBe(true)
  })

  it('but not without one, and not by a link that leads nowhere', () => {
    expect(isRepository(folder)).toBe(false)
    symlinkSync(at('missing'), at('.git'))
    expect(isRepository(folder)).toBe(false)
  })

  it('and not while a sandbox holds an empty .git there', () => {
    mkdirSync(at('.git'))
    writeFileSync(at('.git/HEAD'), 'ref: refs/heads/main\n')
    const release = holdPlaceholders([at('sub/.git')])
    try {
      expect(isRepository(at('sub'))).toBe(false)
      expect(repositoryRoot(at('sub'))).toBe(folder)
    } finally {
      release()
    }
  })
})
