// Before a file is changed it is looked at once: what must not be replaced is refused, and its name in results is the same everywhere.
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import path from 'node:path'
import { isInside } from '../../host/files/resolve-path.ts'
import { realTarget } from '../../host/files/resolve-path.ts'
import { resolvePath } from '../../host/files/resolve-path.ts'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { FileProblem } from './file-problem.ts'

export interface ChangedFile {
  /** Absolute, as it was asked for. */
  readonly path: string
  /** Where it really leads; this is what is locked and replaced. */
  readonly target: string
  /** For people: relative where it lies in the working folder. */
  readonly name: string
}

/** What a path given by a model means for a tool that changes files. */
export function changedFile(written: string, cwd: string): ChangedFile {
  const file = resolvePath(written, cwd)
  const isBelow = file !== path.resolve(cwd) && isInside(file, cwd)
  return { path: file, target: realTarget(file), name: isBelow ? path.relative(cwd, file) : file }
}

/**
 * The size in bytes of the file that would be replaced, or undefined where there is none yet.
 * @throws FileProblem for what is no regular file, or may not be written
 */
export async function sizeToReplace(file: ChangedFile): Promise<number | undefined> {
  const status = await stat(file.target).catch((thrown: unknown) => {
    if (errnoOf(thrown) === 'ENOENT') return undefined
    throw thrown
  })
  if (status === undefined) return undefined
  if (status.isDirectory()) throw new FileProblem(`${file.path} is a folder, not a file.`)
  if (!status.isFile())
    throw new FileProblem(`${file.path} is no regular file but a pipe or device; it is not replaced.`)
  // replacing would get round the file's own mode, for it needs the folder's only
  await access(file.target, constants.W_OK)
  return status.size
}
