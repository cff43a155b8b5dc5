// Finds the root of the git repository that holds a folder.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { errnoOf } from './storage-failure.ts'

/** The nearest folder with a `.git` that is not empty: the folder itself or one above it; undefined outside of repositories. */
export function repositoryRoot(folder: string): string | undefined {
  if (isRepository(folder)) return folder
  const parent = path.dirname(folder)
  return parent === folder ? undefined : repositoryRoot(parent)
}

export function isInRepository(folder: string): boolean {
  return repositoryRoot(folder) !== undefined
}

/** An empty `.git` is none: git ignores it, and the sandbox holds one where no program may create another. */
export function isRepository(folder: string): boolean {
  try {
    return readdirSync(path.join(folder, '.git')).length > 0
  } catch (error) {
    return errnoOf(error) !== 'ENOENT' // a file, or a folder that git has to report about
  }
}
