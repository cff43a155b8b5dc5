// A new file survives a power cut only when the folder that names it was synced too.
import { constants } from 'node:fs'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import type { Failure } from '../../streams/values/failure.ts'
import type { FileSystemPort } from './file-system-port.ts'

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
  const failed = (error: unknown) => done(storageFailure(`sync the folder ${folder}`, error))
  let descriptor: number
  try {
    descriptor = files.openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  } catch (error) {
    failed(error)
    return
  }
  files.fsync(descriptor, (error) => {
    files.closeSync(descriptor)
    if (error !== null && !unsupported.has(errnoOf(error))) failed(error)
    else syncFolders(files, others, done)
  })
}
