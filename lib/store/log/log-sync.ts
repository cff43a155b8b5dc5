// Syncs a log: its blobs, its file, its folders; then checks that the file is still in its place.
// Guarantees: it succeeds only if the synced file is the one at the log's path (docs/design/security.md#S24).
import { storageFailure } from '../../host/files/storage-failure.ts'
import type { Failure } from '../../streams/values/failure.ts'
import { syncFolders } from '../disk/file-system-port.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import type { StartSync } from '../disk/group-commit.ts'
import type { LineWriter } from '../lines/append-lines.ts'
import { findLogFault } from './find-log-fault.ts'
import type { LogBlobs } from './log-blobs.ts'

export interface LogSyncOptions {
  readonly files: FileSystemPort
  readonly descriptor: number
  readonly file: string
  /** Folders that the first sync includes, in order. */
  readonly folders: readonly string[]
  /** Synced before the lines that refer to them. */
  readonly blobs?: LogBlobs | undefined
  readonly writer: Pick<LineWriter, 'size' | 'isTorn'>
  /** Called if another program removed, replaced or changed the file. */
  onFault(fault: Failure): void
}

export function logSync({ files, descriptor, file, folders, blobs, writer, onFault }: LogSyncOptions): StartSync {
  let unsynced = folders

  function syncLines(done: Parameters<StartSync>[0]): void {
    files.fdatasync(descriptor, (error) => {
      if (error === null) syncFolders(files, unsynced, done)
      else done(storageFailure(`sync ${file}`, error))
    })
  }
  return (done) => {
    const check = (failure: Failure | undefined): void => {
      if (failure === undefined) unsynced = []
      const fault = findLogFault({ file, descriptor, size: writer.size, isTorn: writer.isTorn })
      if (fault !== undefined) onFault(fault)
      done(fault ?? failure) // a lost file explains a failed sync
    }
    if (blobs === undefined) syncLines(check)
    else
      blobs.sync((failure) => {
        if (failure === undefined) syncLines(check)
        else check(failure)
      })
  }
}
