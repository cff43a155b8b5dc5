// Finds the project of a working folder: the folder whose own configuration counts there.
// Guarantees: the home folder and the folders above it are never a project.
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { isInside, realTarget } from '../../host/files/resolve-path.ts'

/**
 * The real path of the nearest folder with `.git`, from `cwd` upwards and below the home folder; without one `cwd` itself.
 * Undefined if that is the home folder or lies above it: the files there are the user's own.
 * @param cwd absolute, like `homeFolder`
 */
export function projectFolder(cwd: string, homeFolder: string): string | undefined {
  const [start, home] = [realTarget(cwd), realTarget(homeFolder)]
  if (isInside(home, start)) return undefined
  for (let folder = start; !isInside(home, folder); folder = path.dirname(folder)) {
    if (lstatSync(path.join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return folder
    if (path.dirname(folder) === folder) break
  }
  return start
}
