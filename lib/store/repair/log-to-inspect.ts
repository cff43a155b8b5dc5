// A log is inspected as it stands: opened for reading alone, and closed whatever comes of it.
import { constants } from 'node:fs'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { BlobFolder } from '../blobs/blob-folder.ts'
import { nodeFileSystem } from '../disk/file-system-port.ts'
import { blobsOfFile } from '../blobs/found-blobs.ts'
import type { FoundBlobs } from '../blobs/found-blobs.ts'
import type { LogToInspect } from './inspect-log.ts'
import { lockHolder } from '../locks/session-lock.ts'

export interface FileToInspect {
  /** Absolute. */
  readonly file: string
  /** Where its large content is looked for first; then in the home in which a log of that name would lie. */
  readonly blobs?: BlobFolder | undefined
}

/** The steps of `inspect`, and what it makes of the file; a live holder's last line may be growing. @throws Failure `bad_request` where it is no file, `storage`, and what `inspect` throws */
export function* withLogToInspect<Result>(
  { file, blobs }: FileToInspect,
  inspect: (log: LogToInspect & { readonly blobs: FoundBlobs }) => Generator<undefined, Result>,
): Generator<undefined, Result> {
  const files = nodeFileSystem
  const isLive = lockHolder(file) !== undefined
  const descriptor = opened(file)
  try {
    const { size, isFile } = statusOf(descriptor)
    if (!isFile) throw new Failure('bad_request', `${file} is not a file; name a session's log`)
    const read = (buffer: Buffer, length: number, position: number): number =>
      files.readSync(descriptor, buffer, 0, length, position)
    return yield* inspect({ file, isLive, source: { read, from: 0, end: () => size }, blobs: blobsOfFile(file, blobs) })
  } catch (thrown) {
    throw storageFailure(`read ${file}`, thrown)
  } finally {
    files.closeSync(descriptor)
  }
}

function opened(file: string): number {
  try {
    return nodeFileSystem.openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') throw new Failure('bad_request', `There is no file ${file}`)
    throw storageFailure(`open ${file}`, thrown)
  }
}

function statusOf(descriptor: number): { readonly size: number; readonly isFile: boolean } {
  const status = nodeFileSystem.fstatSync(descriptor)
  return { size: status.size, isFile: status.isFile() }
}
