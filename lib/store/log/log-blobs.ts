// The large content of one log: what a line is about to name is written before that line, and synced before the line is.
import { constants } from 'node:fs'
import path from 'node:path'
import { storageFailure } from '../../host/files/storage-failure.ts'
import type { BlobEncoding, BlobReference, Blobs } from '../../streams/log/blobs.ts'
import type { Failure } from '../../streams/values/failure.ts'
import type { BlobFolder } from '../blobs/blob-folder.ts'
import { blobFile, blobName } from '../blobs/blob-folder.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { syncFolders } from '../disk/file-system-port.ts'

/** Bytes above which content goes to a blob. */
const mostOnLine = 64 * 1024

export interface LogBlobs extends Blobs {
  /** Syncs what was written or held since the last time, then its folder and the one that names that. */
  sync(done: (failure: Failure | undefined) => void): void
}

/** @param folder of the log's home @param files of the log */
export function logBlobs(folder: BlobFolder, files: FileSystemPort): LogBlobs {
  let unsynced = new Set<string>()

  function hold(reference: BlobReference): void {
    if (folder.touch(reference.blob)) unsynced.add(reference.blob)
  }
  function sync(done: (failure: Failure | undefined) => void): void {
    if (unsynced.size === 0) {
      done(undefined)
      return
    }
    const names = [...unsynced]
    unsynced = new Set()
    syncFiles(
      files,
      names.map((name) => blobFile(folder.folder, name)),
      (failure) => {
        if (failure !== undefined) done(failure)
        else syncFolders(files, [folder.folder, path.dirname(folder.folder)], done)
      },
    )
  }

  return {
    refer: (content, encoding) => {
      const bytes = bytesOf(content, encoding)
      return bytes === undefined ? undefined : { blob: blobName(bytes), bytes: bytes.length }
    },
    keep: (content, encoding) => {
      const bytes = bytesOf(content, encoding)
      if (bytes === undefined) return undefined
      const blob = blobName(bytes)
      folder.write(blob, bytes)
      unsynced.add(blob)
      return { blob, bytes: bytes.length }
    },
    hold: hold,
    read: (reference, encoding) => folder.read(reference).toString(encoding),
    sync,
  }
}

/** Undefined where the content stays on its line: it is small, or these bytes would not give it back as it is. */
function bytesOf(content: string, encoding: BlobEncoding): Buffer | undefined {
  if (content.length <= mostOnLine / 3) return undefined // three bytes a unit at most
  const bytes = Buffer.from(content, encoding)
  return bytes.length > mostOnLine && bytes.toString(encoding) === content ? bytes : undefined
}

/** One after the other, each by its name: what was reused may not be synced either. */
function syncFiles(
  files: FileSystemPort,
  [file, ...others]: readonly string[],
  done: (failure: Failure | undefined) => void,
): void {
  if (file === undefined) {
    done(undefined)
    return
  }
  let descriptor: number
  try {
    descriptor = files.openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (thrown) {
    done(storageFailure(`sync ${file}`, thrown))
    return
  }
  files.fdatasync(descriptor, (error) => {
    files.closeSync(descriptor)
    if (error === null) syncFiles(files, others, done)
    else done(storageFailure(`sync ${file}`, error))
  })
}
