// Checks a file before a tool changes it: resolves its name and refuses what must not be replaced.
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import path from 'node:path'
import { isInside } from '../../host/files/resolve-path.ts'
import { realTarget } from '../../host/files/resolve-path.ts'
import { resolvePath } from '../../host/files/resolve-path.ts'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { FileProblem } from './file-problem.ts'

export interface ChangedFile {
  /** Absolute, as requested. */
  readonly path: string
  /** The real target, which is locked and replaced. */
  readonly target: string
  /** For people: relative if it is in the working folder. */
  readonly name: string
}

/** Resolves a model's path for a tool that changes files. */
export function changedFile(written: string, cwd: string): ChangedFile {
  const file = resolvePath(written, cwd)
  const isBelow = file !== path.resolve(cwd) && isInside(file, cwd)
  return { path: file, target: realTarget(file), name: isBelow ? path.relative(cwd, file) : file }
}

/**
 * The size in bytes of the file to replace, or undefined if there is none yet.
 * @throws FileProblem if it is not a regular file, or not writable
 */
export async function sizeToReplace(file: ChangedFile): Promise<number | undefined> {
  const status = await stat(file.target).catch((thrown: unknown) => {
    if (errnoOf(thrown) === 'ENOENT') return undefined
    throw thrown
  })
  if (status === undefined) return undefined
  if (status.isDirectory()) throw new FileProblem(`${file.path} is a folder, not a file.`)
  if (!status.isFile())
    throw new FileProblem(`${file.path} is a pipe or device, not a regular file; it is not replaced.`)
  // replacing needs write access to the folder only, so it would bypass the file's own mode
  await access(file.target, constants.W_OK)
  return status.size
}
