// A program's name becomes an absolute path that no repository can plant.
import { accessSync, constants, statSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { isInside } from '../files/resolve-path.ts'

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

// Programs are looked for where a repository cannot plant them: relative entries of PATH and those inside the workspace do not count.

interface ProgramSearch {
  /** `PATH` as the client has it; absent: the system's own folders only. */
  readonly searchPath: string | undefined
  /** Absolute; programs inside are not found, unless the system's own folders lie in it. */
  readonly workspace: string
}

/** Looked at last, and trusted wherever they lie: only the administrator writes there. */
const systemFolders = ['/usr/bin', '/bin', '/usr/local/bin', '/opt/homebrew/bin', '/run/current-system/sw/bin']

/** Absolute folders in the order in which they are looked at; the system's own come last. */
export function searchFolders({ searchPath, workspace }: ProgramSearch): string[] {
  const realWorkspace = realPath(workspace)
  const folders = (searchPath ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .filter((folder) => systemFolders.includes(folder) || !isInside(realPath(folder), realWorkspace))
  return [...folders, ...systemFolders]
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return path.resolve(folder) // it is not there: then nothing is found in it either
  }
}
