// Finds out whether a folder belongs to a git repository.
import { existsSync } from 'node:fs'
import path from 'node:path'

/** True if the folder or one above it has `.git`. */
export function isInRepository(folder: string): boolean {
  const parent = path.dirname(folder)
  return isRepository(folder) || (parent !== folder && isInRepository(parent))
}

export function isRepository(folder: string): boolean {
  return existsSync(path.join(folder, '.git'))
}
