// Every system call of an open log goes through this port, so that tests can let any of them fail.
import {
  closeSync,
  fchmodSync,
  fdatasync,
  fstatSync,
  fsync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
  constants,
} from 'node:fs'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import type { Failure } from '../../streams/values/failure.ts'

/** What a log needs to know of its open file. */
export interface FileStatus {
  /** Bytes. */
  readonly size: number
  /** Names that the file has; 0 once it was removed. */
  readonly nlink: number
  readonly uid: number
  readonly mode: number
  isFile(): boolean
}

/** The part of `node:fs` that logs use, with its meanings. Its functions do without `this`. */
export interface FileSystemPort {
  openSync(file: string, flags: number): number
  closeSync(descriptor: number): void
  fstatSync(descriptor: number): FileStatus
  fchmodSync(descriptor: number, mode: number): void
  readSync(descriptor: number, buffer: Uint8Array, offset: number, length: number, position: number): number
  /** May write less than it was given. */
  writeSync(descriptor: number, buffer: Uint8Array, offset: number, length: number): number
  ftruncateSync(descriptor: number, length: number): void
  fdatasync(descriptor: number, done: (error: Error | null) => void): void
  fsync(descriptor: number, done: (error: Error | null) => void): void
  /** Has work begin when this step of the event loop is over: what the thread is at goes first. */
  afterStep(work: () => void): void
}

/** The machine's own. */
export const nodeFileSystem: FileSystemPort = {
  openSync,
  closeSync,
  fstatSync,
  fchmodSync,
  readSync,
  writeSync,
  ftruncateSync,
  fdatasync,
  fsync,
  afterStep: (work) => void setImmediate(work),
}

// A new file survives a power cut only when the folder that names it was synced too.

/** What file systems answer that cannot sync a folder: there nothing can be done, and nothing more is promised. */
const unsupported = new Set<string | undefined>(['EINVAL', 'ENOTSUP', 'ENOSYS'])

/** Syncs one folder after the other, in order, and tells when it is done or why it stopped. */
export function syncFolders(
  files: FileSystemPort,
  folders: readonly string[],
  done: (failure: Failure | undefined) => void,
): void {
  const [folder, ...others] = folders
  if (folder === undefined) {
    done(undefined)
    return
  }
  const syncFailure = (error: unknown) => done(storageFailure(`sync the folder ${folder}`, error))
  let descriptor: number
  try {
    descriptor = files.openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  } catch (error) {
    syncFailure(error)
    return
  }
  files.fsync(descriptor, (error) => {
    files.closeSync(descriptor)
    if (error !== null && !unsupported.has(errnoOf(error))) syncFailure(error)
    else syncFolders(files, others, done)
  })
}
