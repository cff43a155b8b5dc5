// Resolves a program's name to an absolute path that no repository can plant.
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
    return false // missing, or not executable for this user
  }
}

// Ignores relative entries of PATH and those inside the workspace, as a repository could plant programs there.

interface ProgramSearch {
  /** The client's `PATH`; absent: the system folders only. */
  readonly searchPath: string | undefined
  /** Absolute; programs inside are ignored, unless the system folders are inside too. */
  readonly workspace: string
}

/** Searched last and always trusted: only the administrator can write there. */
const systemFolders = ['/usr/bin', '/bin', '/usr/local/bin', '/opt/homebrew/bin', '/run/current-system/sw/bin']

/** Absolute folders in search order; the system's own come last. */
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
    return path.resolve(folder) // it does not exist: the search finds nothing there
  }
}
