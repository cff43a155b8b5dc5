// A program's name becomes an absolute path that no repository can plant: relative entries of PATH and those inside the workspace do not count.
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import path from 'node:path'

export interface ProgramSearch {
  /** `PATH` as the client has it; absent: the system's own folders only. */
  readonly searchPath: string | undefined
  /** Absolute; programs inside are not found, unless the system's own folders lie in it. */
  readonly workspace: string
}

/** Looked at last, and trusted wherever they lie: only the administrator writes there. */
const systemFolders = ['/usr/bin', '/bin', '/usr/local/bin', '/opt/homebrew/bin', '/run/current-system/sw/bin']

/** The first executable file of that name, or undefined. */
export function findProgram(name: string, { searchPath, workspace }: ProgramSearch): string | undefined {
  const realWorkspace = realPath(workspace)
  const folders = (searchPath ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .filter((folder) => systemFolders.includes(folder) || !isInside(realPath(folder), realWorkspace))
  return [...folders, ...systemFolders].map((folder) => path.join(folder, name)).find(isExecutable)
}

function isInside(folder: string, workspace: string): boolean {
  const relative = path.relative(workspace, folder)
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return path.resolve(folder) // it is not there: then nothing is found in it either
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
