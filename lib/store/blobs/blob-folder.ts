// Stores large content as files named by the SHA-256 of their bytes.
// Guarantees: a blob is complete or absent; each read checks its bytes against its name.
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  lutimesSync,
  readFileSync,
  renameSync,
  unlinkSync,
  lstatSync,
  readdirSync,
} from 'node:fs'
import path from 'node:path'
import { createPrivateFile, ensurePrivateFolder } from '../../host/files/private-files.ts'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import type { BlobReference } from '../../streams/log/blobs.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { nodeFileSystem } from '../disk/file-system-port.ts'
import { blobPiece } from './blob-piece.ts'
import { openBlob } from './open-blob.ts'

export interface BlobFolder {
  /** Absolute; may be missing. */
  readonly folder: string
  /** Writes the bytes unless the blob exists, and returns its path. Does not sync. @throws Failure `storage` */
  write(hash: string, bytes: Buffer): string
  /** Updates the blob's time, so that a concurrent removal keeps it. False if the blob does not exist. */
  touch(hash: string): boolean
  /** The checked bytes; undefined if there is no such blob. @throws Failure `storage`, `bad_request` */
  find(hash: string): Buffer | undefined
  /**
   * At most `limit` bytes from `offset` on, and the size of the whole blob (`bytes`). Reads in steps, after the whole is
   * checked; undefined if there is no such blob. @throws as `find`
   */
  piece(
    hash: string,
    range: { readonly offset: number; readonly limit: number },
  ): Generator<undefined, { readonly bytes: number; readonly data: Buffer } | undefined>
  /** The bytes that a log line refers to. @throws Failure `storage` if they are missing or do not match */
  read(reference: BlobReference): Buffer
}

const pattern = /^[0-9a-f]{64}$/

/** The blob name of these bytes. */
export function blobName(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The path of a blob. @throws Failure `bad_request` if the hash is not a blob name */
export function blobFile(folder: string, hash: string): string {
  if (pattern.test(hash)) return path.join(folder, hash)
  const quoted = JSON.stringify(hash.slice(0, 80))
  throw new Failure('bad_request', `${quoted} is not a blob name: a name has 64 characters of 0 to 9 and a to f`)
}

/** @param home `$RXPI_HOME`, absolute; the first write creates its folder `blobs` */
export function blobFolder(home: string, files: FileSystemPort = nodeFileSystem): BlobFolder {
  const folder = path.join(home, 'blobs')
  let isReady = false
  const ensureFolder = (): void => {
    ensurePrivateFolder(folder, home)
    tidyBlobs(folder)
    isReady = true
  }
  const find = (hash: string): Buffer | undefined => {
    const bytes = readBytes(blobFile(folder, hash))
    if (bytes !== undefined && blobName(bytes) !== hash) throw damagedBlob(hash, folder)
    return bytes
  }
  return {
    folder,
    write: (hash, bytes) => {
      const file = blobFile(folder, hash)
      if (!isReady) ensureFolder()
      if (hasBytes(file, bytes) && touchFile(file)) return file
      writeNew({ file, bytes, files })
      return file
    },
    touch: (hash) => touchFile(blobFile(folder, hash)),
    find,
    *piece(hash, range) {
      const piece = yield* blobPiece(blobFile(folder, hash), hash, range)
      if (piece?.isIntact === false) throw damagedBlob(hash, folder)
      return piece
    },
    read: ({ blob, bytes: size }) => {
      const bytes = find(blob)
      if (bytes === undefined) throw missingBlob(blob, `is not in ${folder}`)
      if (bytes.length !== size)
        throw missingBlob(blob, `in ${folder} has ${bytes.length} bytes, but its line says ${size}`)
      return bytes
    },
  }
}

function damagedBlob(hash: string, folder: string): Failure {
  return missingBlob(hash, `in ${folder} does not match its name`)
}

function missingBlob(blob: string, what: string): Failure {
  return new Failure('storage', `The blob ${blob} ${what}: its content is lost`, { data: { blob } })
}

/** True if the file holds exactly these bytes: after a power cut it may hold others. */
function hasBytes(file: string, bytes: Buffer): boolean {
  return readBytes(file)?.equals(bytes) === true
}

/** Undefined if there is no such blob. @throws Failure `storage` */
function readBytes(file: string): Buffer | undefined {
  const opened = openBlob(file)
  if (opened === undefined) return undefined
  try {
    return readFileSync(opened.descriptor)
  } catch (thrown) {
    throw storageFailure(`read ${file}`, thrown)
  } finally {
    closeSync(opened.descriptor)
  }
}

/** Sub-millisecond precision: two writers in the same millisecond leave different times. */
function touchFile(file: string): boolean {
  const now = (performance.timeOrigin + performance.now()) / 1_000
  try {
    lutimesSync(file, now, now)
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return false
    throw storageFailure(`mark ${file} as wanted`, thrown)
  }
  return existsSync(file) // a concurrent removal has moved the file before it read the time
}

interface NewBlob {
  readonly file: string
  readonly bytes: Buffer
  readonly files: FileSystemPort
}

let written = 0

/** Writes under a temporary name first, so that the blob's own name is never partial. */
function writeNew({ file, bytes, files }: NewBlob): void {
  const temporary = `${file}.${process.pid}-${(written += 1)}.new`
  removeLeftover(temporary)
  const descriptor = createPrivateFile(temporary)
  try {
    try {
      for (let done = 0; done < bytes.length;) {
        const count = files.writeSync(descriptor, bytes, done, bytes.length - done)
        if (count === 0) throw new Error('the system wrote nothing')
        done += count
      }
    } finally {
      closeSync(descriptor)
    }
    renameSync(temporary, file)
  } catch (thrown) {
    removeLeftover(temporary)
    throw storageFailure(`write ${file}`, thrown)
  }
}

/** A leftover of a dead process that had this process's number. */
function removeLeftover(temporary: string): void {
  try {
    unlinkSync(temporary)
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOENT') throw storageFailure(`remove ${temporary}`, thrown)
  }
}

// The next writer of a blob cleans up what a dead process left behind.

/** Milliseconds after which no process is still working with such a file. */
const abandonedMs = 60 * 60 * 1_000

/** Removes incomplete blobs and restores blobs whose removal did not finish. */
function tidyBlobs(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, hash, what] = /^([0-9a-f]{64})\.[\d-]+\.(new|removed)$/.exec(name) ?? []
    if (hash === undefined) continue
    const file = path.join(folder, name)
    try {
      if (Date.now() - lstatSync(file).ctimeMs < abandonedMs) continue
      if (what === 'new') unlinkSync(file)
      else renameSync(file, path.join(folder, hash))
    } catch {
      // another process was faster, or the file stays; nothing depends on it
    }
  }
}
