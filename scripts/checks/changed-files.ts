// Lists the files of this checkout that differ from a commit, with uncommitted and untracked ones.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

/**
 * Existing files that changed since the fork point of HEAD and `base`, and untracked ones. Throws if git does not know
 * `base`.
 */
export function changedFiles(root: string, base: string): string[] {
  const changed = git(root, 'diff', '-z', '--name-only', '--no-renames', '--diff-filter=d', '--merge-base', base)
  return existing(root, [...changed, ...git(root, 'ls-files', '-z', '--others', '--exclude-standard')])
}

function git(root: string, ...args: string[]): string[] {
  const output = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  return output.split('\0').filter((name) => name !== '')
}

function existing(root: string, names: readonly string[]): string[] {
  return Array.from(new Set(names)).filter((name) => existsSync(path.join(root, name)))
}
