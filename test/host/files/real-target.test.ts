// Tests how a path is resolved through links to its real target.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { realTarget, resolvePath } from '../../../lib/host/files/resolve-path.ts'

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-target-')))
afterAll(() => rmSync(folder, { recursive: true }))
mkdirSync(path.join(folder, 'real'))
writeFileSync(path.join(folder, 'real/file'), '')
for (const [name, target] of [
  ['folder-link', 'real'],
  ['file-link', 'folder-link/file'],
  ['dangling', 'real/not/yet'],
  ['dangling-twice', 'folder-link/../dangling'],
  ['absolute', path.join(folder, 'real/file')],
  ['circle', 'circle'],
  ['ring-a', 'ring-b'],
  ['ring-b', 'ring-a'],
] as const) {
  symlinkSync(target, path.join(folder, name))
}

describe('realTarget', () => {
  it.each([
    ['a file', 'real/file', 'real/file'],
    ['a file through a folder link', 'folder-link/file', 'real/file'],
    ['a link to a link', 'file-link', 'real/file'],
    ['an absolute link', 'absolute', 'real/file'],
    ['a missing path', 'new/deep/file', 'new/deep/file'],
    ['a missing path below a link', 'folder-link/new/file', 'real/new/file'],
    ['a dangling link', 'dangling', 'real/not/yet'],
    ['a dangling link to a dangling link', 'dangling-twice', 'real/not/yet'],
    ['below a dangling link', 'dangling/more', 'real/not/yet/more'],
    ['a path below a file', 'real/file/x', 'real/file/x'],
  ])('of %s', (_, input, wanted) => {
    expect(realTarget(path.join(folder, input))).toBe(path.join(folder, wanted))
  })

  it.each(['circle', 'ring-a', 'circle/x', 'a\0b'])('terminates for %j', (name) => {
    expect(path.isAbsolute(realTarget(path.join(folder, name)))).toBe(true)
  })
})

describe('resolvePath', () => {
  it.each([
    ['a/../b', '/folder/b'],
    ['/etc/hosts', '/etc/hosts'],
    ['~', homedir()],
    ['~/a', path.join(homedir(), 'a')],
    ['~user/a', '/folder/~user/a'],
    ['file:///etc/hosts', '/folder/file:/etc/hosts'],
    ['', '/folder'],
  ])('resolves %j to %j', (input, wanted) => {
    expect(resolvePath(input, '/folder')).toBe(wanted)
  })
})
