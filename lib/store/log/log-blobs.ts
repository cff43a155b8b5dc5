// Moves large content of a log into blobs.
// Guarantees: a blob is written before the line that names it, and synced before that line is.
import { constants } from 'node:fs'
import path from 'node:path'
import { storageFailure } from '../../host/files/storage-failure.ts'
import type { BlobEncoding, BlobReference, Blobs } from '../../streams/log/blobs.ts'
import type { Failure } from '../../streams/values/failure.ts'
import type { BlobFolder } from '../blobs/blob-folder.ts'
import { blobFile, blobName } from '../blobs/blob-folder.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { syncFolders } from '../disk/file-system-port.ts'

/** Content of more bytes goes to a blob. */
const maxOnLine = 64 * 1024

export interface LogBlobs extends Blobs {
  /** Syncs the blobs written or held since the last call, then their folder and its parent. */
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
    const restore = (failure: Failure | undefined): void => {
      if (failure !== undefined) unsynced = new Set([...names, ...unsynced]) // without a descriptor the sync is repeated
      done(failure)
    }
    syncFiles(
      files,
      names.map((name) => blobFile(folder.folder, name)),
      (failure) => {
        if (failure !== undefined) restore(failure)
        else syncFolders(files, [folder.folder, path.dirname(folder.folder)], restore)
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
    hold,
    read: (reference, encoding) => folder.read(reference).toString(encoding),
    sync,
  }
}

/** Undefined if the content stays on its line: it is small, or does not survive the conversion to bytes. */
function bytesOf(content: string, encoding: BlobEncoding): Buffer | undefined {
  if (content.length <= maxOnLine / 3) return undefined // at most three bytes a unit
  const bytes = Buffer.from(content, encoding)
  return bytes.length > maxOnLine && bytes.toString(encoding) === content ? bytes : undefined
}

/** Syncs the files one after the other, by name: a reused blob may be unsynced too. */
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
