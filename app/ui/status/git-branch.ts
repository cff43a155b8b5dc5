// The branch of a folder as its `.git` says it: two small files are read, no program that the repository configures is run (docs/design/security.md#S15).
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Bytes that are read at most of what a repository says. */
const most = 4_096

/** The branch's name, or the first 8 characters of a commit that no branch names; undefined outside of a repository. */
export function gitBranch(folder: string): string | undefined {
  for (let path = folder; ; path = dirname(path)) {
    const head = headOf(join(path, '.git'))
    if (head !== undefined) return nameOf(head)
    if (dirname(path) === path) return undefined
  }
}

/** What HEAD says; `.git` is a folder, or in a worktree or submodule a file that names one. */
function headOf(git: string): string | undefined {
  try {
    if (statSync(git).isDirectory()) return beginning(join(git, 'HEAD'))
    const [, named] = /^gitdir: (.+)$/m.exec(beginning(git)) ?? []
    return named === undefined ? undefined : beginning(resolve(dirname(git), named.trim(), 'HEAD'))
  } catch {
    return undefined // there is none here, or it cannot be read
  }
}

function beginning(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK) // a pipe would be waited for
  try {
    if (!fstatSync(descriptor).isFile()) return ''
    const bytes = Buffer.alloc(most)
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
