// Tests how the git branch of a folder is read.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { gitBranch } from '../../../lib/host/files/git-branch.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rxpi-branch-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

function write(name: string, text: string): void {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), text)
}

describe('the branch of a folder [S15d]', () => {
  it.each<[string, string, string | undefined]>([
    ['by its name', 'ref: refs/heads/main\n', 'main'],
    ['with a slash in it', 'ref: refs/heads/fix/it\n', 'fix/it'],
    ['a commit that no branch names', `${'0123456789'.repeat(4)}\n`, '01234567'],
    ['nothing that can be read', 'what is this\n', undefined],
    ['none if the name has a blank', 'ref: refs/heads/main and more\n', undefined],
    ['none if the name turns the direction of text', 'ref: refs/heads/a\u202eb\n', undefined],
    ['at most 255 characters', `ref: refs/heads/${'a'.repeat(256)}\n`, 'a'.repeat(255)],
  ])('is %s', (_, head, branch) => {
    write('.git/HEAD', head)
    expect(gitBranch(folder)).toBe(branch)
  })

  it('is found from a subfolder', () => {
    write('.git/HEAD', 'ref: refs/heads/main\n')
    write('a/b/c', '')
    expect(gitBranch(join(folder, 'a/b'))).toBe('main')
  })

  it.each([
    ['absolute', () => join(folder, 'repo/.git/worktrees/w')],
    ['relative', () => '../repo/.git/worktrees/w'],
  ])('of a worktree is its own, with an %s path', (_, path) => {
    write('repo/.git/worktrees/w/HEAD', 'ref: refs/heads/other\n')
    write('w/.git', `gitdir: ${path()}\n`)
    expect(gitBranch(join(folder, 'w'))).toBe('other')
  })

  it.each([
    ['names a folder that is not there', 'gitdir: nowhere\n'],
    ['says something else', 'hello\n'],
  ])('is undefined if .git %s', (_, text) => {
    write('.git', text)
    expect(gitBranch(folder)).toBeUndefined()
  })

  it('is read from the beginning of a file of any size', () => {
    write('.git/HEAD', 'ref: refs/heads/main\n')
    truncateSync(join(folder, '.git/HEAD'), 3 * 2 ** 30) // larger than the maximum size of a whole read
    expect(gitBranch(folder)).toBe('main')
  })

  it.each(['.git', '.git/HEAD'])('is undefined at once if %s is a pipe', (name) => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    expect(spawnSync('mkfifo', [join(folder, name)]).status).toBe(0)
    const module = new URL('../../../lib/host/files/git-branch.ts', import.meta.url).href
    const attempt = `console.log((await import('${module}')).gitBranch('${folder}'))`
    const options = { encoding: 'utf8', timeout: 15_000 } as const
    expect(spawnSync(process.execPath, ['--input-type=module', '-e', attempt], options).stdout).toBe('undefined\n')
  })
})
