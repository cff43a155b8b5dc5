// Finds the root of the git repository that holds a folder.
import { existsSync } from 'node:fs'
import path from 'node:path'

/** The nearest folder with `.git`: the folder itself or one above it; undefined outside of repositories. */
export function repositoryRoot(folder: string): string | undefined {
  if (isRepository(folder)) return folder
  const parent = path.dirname(folder)
  return parent === folder ? undefined : repositoryRoot(parent)
}

export function isInRepository(folder: string): boolean {
  return repositoryRoot(folder) !== undefined
}

export function isRepository(folder: string): boolean {
  return existsSync(path.join(folder, '.git'))
}
