// A program's name becomes an absolute path that no repository can plant.
import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { searchFolders } from './search-folders.ts'
import type { ProgramSearch } from './search-folders.ts'

/** The first executable file of that name, or undefined. */
export function findProgram(name: string, search: ProgramSearch): string | undefined {
  return searchFolders(search)
    .map((folder) => path.join(folder, name))
    .find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false // not there, or not ours to run
  }
}
