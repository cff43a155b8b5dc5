// Tests which folder is the project of a working folder.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { projectFolder } from '../../../lib/store/trust/folder-trust.ts'

let top = ''
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-project-')))
  for (const name of [
    'home/repo/.git',
    'home/repo/src/deep',
    'home/repo/held/.git',
    'home/plain/sub',
    'home/tree/src',
    'other/src',
  ])
    mkdirSync(path.join(top, name), { recursive: true })
  writeFileSync(path.join(top, 'home/repo/.git/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(path.join(top, 'home', 'tree', '.git'), 'gitdir: /elsewhere\n')
  symlinkSync(path.join(top, 'home', 'repo', 'src'), path.join(top, 'link'))
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

it.each([
  ['home/repo', 'home/repo'],
  ['home/repo/src/deep', 'home/repo'],
  ['home/repo/held', 'home/repo'], // a sandbox holds an empty `.git` there while a command runs
  ['home/tree/src', 'home/tree'],
  ['link', 'home/repo'],
  ['home/plain/sub', 'home/plain/sub'],
  ['other/src', 'other/src'],
  ['home/missing', 'home/missing'],
  ['home', undefined],
  ['.', undefined],
])('of %s is %s', (cwd, expected) => {
  const found = projectFolder(path.join(top, cwd), path.join(top, 'home'))
  expect(found).toBe(expected === undefined ? undefined : path.join(top, expected))
})

it('is not the home folder, also if that is a repository: its files are the user’s own', () => {
  writeFileSync(path.join(top, 'home', '.git'), 'gitdir: /elsewhere\n')
  expect(projectFolder(path.join(top, 'home', 'plain', 'sub'), path.join(top, 'home'))).toBe(
    path.join(top, 'home/plain/sub'),
  )
})
