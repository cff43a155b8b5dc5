// Reads the current branch of a folder from `.git` without running git (docs/design/security.md#S15).
// Guarantees: a pipe in its place never blocks; at most 4 KiB of a file are read.
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { repositoryRoot } from './repository-root.ts'

const readLimit = 4_096
/** A longer name is not a branch that git makes; the model reads it. */
const nameLimit = 255

/**
 * Name of the branch, or the first 8 characters of the commit; undefined outside of a repository.
 * @param root the repository of the folder, if the caller knows it
 */
export function gitBranch(folder: string, root = repositoryRoot(folder)): string | undefined {
  if (root === undefined) return undefined
  try {
    return nameOf(readHead(join(root, '.git')))
  } catch {
    return undefined // not readable
  }
}

/** Content of HEAD; `.git` is a folder, or a file that names one in a worktree or submodule. */
function readHead(git: string): string {
  if (statSync(git).isDirectory()) return readStart(join(git, 'HEAD'))
  const [, named = ''] = /^gitdir: (.+)$/m.exec(readStart(git)) ?? []
  return readStart(resolve(dirname(git), named.trim(), 'HEAD'))
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

/** Only characters that git allows in a name: the file is the repository's, and a model reads the result. */
function nameOf(head: string): string | undefined {
  const [, branch = ''] = /^ref: refs\/heads\/([^\p{C}\p{Z} ~^:?*[\\]+)$/mu.exec(head) ?? []
  if (branch !== '') return branch.slice(0, nameLimit)
  return /^[0-9a-f]{40}/.exec(head)?.[0].slice(0, 8)
}
