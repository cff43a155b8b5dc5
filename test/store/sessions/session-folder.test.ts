// Tests the name of the folder for the sessions of a working folder.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { sessionFolder } from '../../../lib/store/sessions/session-folder.ts'

describe('sessionFolder', () => {
  it.each([
    ['/nowhere/project', /^project-[0-9a-f]{16}$/],
    ['/nowhere/My Project (1)', /^My_Project__1_-[0-9a-f]{16}$/],
    ['/nowhere/…', /^_-[0-9a-f]{16}$/],
    ['/nowhere/.hidden', /^hidden-[0-9a-f]{16}$/],
    ['/nowhere/...', /^root-[0-9a-f]{16}$/],
    ['/', /^root-[0-9a-f]{16}$/],
    [`/nowhere/${'x'.repeat(300)}`, /^x{40}-[0-9a-f]{16}$/],
    ['/nowhere/a\nb\u0000', /^a_b_-[0-9a-f]{16}$/],
  ])('makes a safe name of %j [LOG-path]', (cwd, name) => {
    expect(sessionFolder(cwd)).toMatch(name)
  })

  it('separates folders with similar names [S9d]', () => {
    const names = ['/nowhere/a-b', '/nowhere/a/b', '/nowhere/a b', '/nowhere/a_b', '/a_b'].map(sessionFolder)
    expect(new Set(names).size).toBe(names.length)
  })

  it('returns one name for all paths of a folder', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-cwd-'))
    try {
      mkdirSync(path.join(folder, 'project'))
      symlinkSync(path.join(folder, 'project'), path.join(folder, 'link'))
      const name = sessionFolder(path.join(folder, 'project'))
      expect(sessionFolder(path.join(folder, 'link'))).toBe(name)
      expect(sessionFolder(path.join(folder, 'link', '..', 'project', '.'))).toBe(name)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
