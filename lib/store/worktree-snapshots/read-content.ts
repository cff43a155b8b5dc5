// A file's content and the status it had when it was opened: if it changes while it is read, the status no longer fits it.
import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync } from 'node:fs'
import { errnoOf } from '../../host/files/storage-failure.ts'
import type { KnownFile } from './folder-index.ts'
import { maxFileBytes, statusOf, unread } from './look-at-files.ts'

export interface Content {
  /** With its oid. */
  readonly file: KnownFile
  readonly bytes: Buffer
}

/** What is changed again within this time, in ms, might keep its times: file systems count coarsely. */
const coarse = 2_000

/**
 * Reads a regular file or a symbolic link, which is not followed. Undefined where it is gone or has become something else;
 * `unreadable` where the system refuses.
 */
export function readContent(place: string | Buffer): Content | 'unreadable' | undefined {
  try {
    const status = statusOf(place)
    if (status?.isSymbolicLink() === true) return content(unread(status), readlinkSync(place, 'buffer'))
    return status?.isFile() === true ? readRegular(place) : undefined
  } catch (thrown) {
    const errno = errnoOf(thrown)
    if (errno === 'ENOENT' || errno === 'ENOTDIR' || errno === 'ELOOP' || errno === 'EINVAL') return undefined
    return 'unreadable'
  }
}

/** What git calls this content. */
export function oidOf(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

function readRegular(place: string | Buffer): Content | undefined {
  const descriptor = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const status = fstatSync(descriptor)
    if (!status.isFile() || status.size > maxFileBytes) return undefined
    return content(unread(status), readFileSync(descriptor))
  } finally {
    closeSync(descriptor)
  }
}

function content(file: KnownFile, bytes: Buffer): Content {
  const isRecent = Math.max(file.mtimeMs, file.ctimeMs) > Date.now() - coarse
  return { bytes, file: { ...file, oid: oidOf(bytes), ...(isRecent ? { mtimeMs: -1 } : {}) } }
}
