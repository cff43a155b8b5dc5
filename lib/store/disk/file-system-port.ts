// The file system calls of an open log as a port, so that tests can make each of them fail.
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
import { Observable } from 'rxjs'

/** The status of a log's open file. */
export interface FileStatus {
  /** Bytes. */
  readonly size: number
  /** Number of names (links) of the file; 0 after it was removed. */
  readonly nlink: number
  /** The owner. */
  readonly uid: number
  /** Type and permission bits, as `stat` reports them. */
  readonly mode: number
  isFile(): boolean
}

/** The functions of `node:fs` that logs use. They do not depend on `this`. */
export interface FileSystemPort {
  openSync(file: string, flags: number): number
  closeSync(descriptor: number): void
  fstatSync(descriptor: number): FileStatus
  fchmodSync(descriptor: number, mode: number): void
  readSync(descriptor: number, buffer: Uint8Array, offset: number, length: number, position: number): number
  /** May write fewer bytes than requested. */
  writeSync(descriptor: number, buffer: Uint8Array, offset: number, length: number): number
  ftruncateSync(descriptor: number, length: number): void
  fdatasync(descriptor: number, done: (error: Error | null) => void): void
  fsync(descriptor: number, done: (error: Error | null) => void): void
  /** Schedules work for the end of this event loop step, after the current synchronous work. */
  afterStep(work: () => void): void
}

/** The real file system. */
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

// A new file survives a power cut only after the folder that names it was synced.

/** Error codes of file systems that cannot sync a folder; such an error counts as success. */
const unsupported = new Set<string | undefined>(['EINVAL', 'ENOTSUP', 'ENOSYS'])

/** Syncs folders one after the other, then calls `done`, with the failure if one stopped it. */
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

/** Syncs one folder and completes; fails with Failure `storage`. It cannot be cancelled. */
export function syncFolder(files: FileSystemPort, folder: string): Observable<never> {
  return new Observable((subscriber) => {
    syncFolders(files, [folder], (failure) => {
      if (failure === undefined) subscriber.complete()
      else subscriber.error(failure)
    })
  })
}

// A sync occupies one of libuv's four threads while it waits for the disk, so only a few run at once; the others wait
// in order.

/** The same files with at most `limit` (default 2) concurrent syncs. */
export function boundedSync(files: FileSystemPort, limit = 2): FileSystemPort {
  const waiting: (() => void)[] = []
  let busy = 0

  function next(): void {
    while (busy < limit) {
      const start = waiting.shift()
      if (start === undefined) return
      busy += 1
      start()
    }
  }

  function bounded(name: 'fdatasync' | 'fsync'): FileSystemPort[typeof name] {
    return (descriptor, done) => {
      const finish = (error: Error | null): void => {
        busy -= 1
        next()
        done(error)
      }
      waiting.push(() => {
        try {
          files[name](descriptor, finish)
        } catch (thrown) {
          finish(thrown as Error) // an invalid descriptor is refused in the call
        }
      })
      next()
    }
  }

  return { ...files, fdatasync: bounded('fdatasync'), fsync: bounded('fsync') }
}
