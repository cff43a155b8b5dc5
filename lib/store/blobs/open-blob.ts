// Opens a blob for reading if it is a regular file of this user.
import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'

export interface OpenBlob {
  /** The caller closes it. */
  readonly descriptor: number
  /** Its size in bytes. */
  readonly size: number
}

/** Opens without blocking and without following links; undefined if there is no such file. @throws Failure `storage` */
export function openBlob(file: string): OpenBlob | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const status = fstatSync(descriptor)
    if (status.isFile() && status.uid === process.geteuid?.()) return { descriptor, size: status.size }
  } catch (thrown) {
    if (descriptor !== undefined) closeSync(descriptor)
    if (errnoOf(thrown) === 'ENOENT' || errnoOf(thrown) === 'ELOOP') return undefined
    throw storageFailure(`read ${file}`, thrown)
  }
  closeSync(descriptor)
  return undefined
}
