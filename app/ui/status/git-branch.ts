// Reads the current branch from `.git` without running git (docs/design/security.md#S15).
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Maximum of bytes read from a file. */
const readLimit = 4_096

/** Name of the branch, or the first 8 characters of the commit; undefined outside of a repository. */
export function gitBranch(folder: string): string | undefined {
  for (let path = folder; ; path = dirname(path)) {
    const head = readHead(join(path, '.git'))
    if (head !== undefined) return nameOf(head)
    if (dirname(path) === path) return undefined
  }
}

/** Content of HEAD; `.git` is a folder, or a file that names one in a worktree or submodule. */
function readHead(git: string): string | undefined {
  try {
    if (statSync(git).isDirectory()) return readStart(join(git, 'HEAD'))
    const [, named] = /^gitdir: (.+)$/m.exec(readStart(git)) ?? []
    return named === undefined ? undefined : readStart(resolve(dirname(git), named.trim(), 'HEAD'))
  } catch {
    return undefined // missing or not readable
  }
}

function readStart(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK) // opening a pipe must not block
  try {
    if (!fstatSync(descriptor).isFile()) return ''
    const bytes = Buffer.alloc(readLimit)
    return bytes.toString('utf8', 0, readSync(descriptor, bytes))
  } finally {
    closeSync(descriptor)
  }
}

function nameOf(head: string): string | undefined {
  const [, branch] = /^ref: refs\/heads\/(.+)$/m.exec(head) ?? []
  if (branch !== undefined) return branch.trim()
  return /^[0-9a-f]{40}/.exec(head)?.[0].slice(0, 8)
}
