// Writes and removes restored files.
// Guarantees: each file is replaced atomically, no link is followed, and nothing outside of the folder changes.
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import { parentOf, shownName } from './byte-name.ts'
import type { ByteName } from './byte-name.ts'
import { absolutePath, realFolders, statusOf } from './read-file-states.ts'
import type { PlannedChange } from './plan-restore.ts'

/** Removes a file, and the folders above it that become empty. @throws Failure `storage` */
export function removeFile(folder: string, name: ByteName): void {
  attempt('remove', name, () => {
    if (!realFolders(folder)(parentOf(name))) return // already removed with a folder above it
    if (statusOf(absolutePath(folder, name)) !== undefined) unlinkSync(absolutePath(folder, name))
    for (let above = parentOf(name); above !== ''; above = parentOf(above)) if (!removeEmpty(folder, above)) break
  })
}

/**
 * Writes a file or a symbolic link with its permissions atomically; creates folders as needed. @throws Failure
 * `storage`
 */
export function writeFile(folder: string, { name, isLink, mode }: PlannedChange, content: Buffer): void {
  attempt('restore', name, () => {
    makeFolders(folder, parentOf(name))
    if (statusOf(absolutePath(folder, name))?.isDirectory() === true) removeEmpty(folder, name)
    const beside = absolutePath(folder, besideOf(name))
    try {
      if (isLink) symlinkSync(content, beside)
      else writeBeside(beside, content, mode, absolutePath(folder, name))
      renameSync(beside, absolutePath(folder, name))
    } catch (thrown) {
      rmSync(beside, { force: true })
      throw thrown
    }
  })
}

/** Sets a regular file's permissions. @throws Failure `storage` */
export function setMode(folder: string, { name, mode }: PlannedChange): void {
  attempt('set the permissions of', name, () => {
    const file = absolutePath(folder, name)
    const isThere = realFolders(folder)(parentOf(name)) && statusOf(file)?.isFile() === true
    if (isThere) chmodSync(file, mode)
  })
}

function writeBeside(beside: string | Buffer, content: Buffer, mode: number, file: string | Buffer): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  const descriptor = openSync(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    writeFileSync(descriptor, content)
    const before = statusOf(file)
    if (before?.isFile() === true && process.geteuid?.() === 0) fchownSync(descriptor, before.uid, before.gid)
    fchmodSync(descriptor, mode)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function besideOf(name: ByteName): ByteName {
  const parent = parentOf(name)
  return `${parent === '' ? '' : `${parent}/`}.rxpi-${randomIds().short()}`
}

function makeFolders(folder: string, name: ByteName): void {
  if (name === '') return
  makeFolders(folder, parentOf(name))
  const status = statusOf(absolutePath(folder, name))
  if (status === undefined) mkdirSync(absolutePath(folder, name))
  else if (!status.isDirectory()) throw new Failure('storage', `${shownName(name)} is no folder`)
}

/** False if it is not empty, or missing. */
function removeEmpty(folder: string, name: ByteName): boolean {
  try {
    rmdirSync(absolutePath(folder, name))
    return true
  } catch (thrown) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY', 'EACCES'].includes(errnoOf(thrown) ?? '')) return false
    throw thrown
  }
}

function attempt(act: string, name: ByteName, work: () => void): void {
  try {
    work()
  } catch (thrown) {
    throw storageFailure(`${act} ${shownName(name)}`, thrown)
  }
}
