// A blob's name is the SHA-256 of its bytes: it is there whole or not at all, and is believed only where its bytes say so.
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
  readSync,
} from 'node:fs'
import path from 'node:path'
import { createPrivateFile, ensurePrivateFolder } from '../../host/files/private-files.ts'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import type { BlobReference } from '../../streams/log/blobs.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { nodeFileSystem } from '../disk/file-system-port.ts'
import { openBlob } from './open-blob.ts'

export interface BlobFolder {
  /** Absolute; may be missing. */
  readonly folder: string
  /** Writes bytes that are not there yet, and returns where. They are not synced. @throws Failure `storage`; nothing is left behind */
  write(hash: string, bytes: Buffer): string
  /** Tells who removes blobs that it is wanted; false where it is not there. */
  touch(hash: string): boolean
  /** The bytes, once they are what the name says; undefined where there is none. @throws Failure `storage`, `bad_request` */
  find(hash: string): Buffer | undefined
  /** A piece of it, read in steps, once all of it is what the name says; undefined where there is none. @throws Failure `storage`, `bad_request` */
  piece(hash: string, wanted: PieceRange): Generator<undefined, Omit<BlobPiece, 'isTrue'> | undefined>
  /** The bytes of what a line names. @throws Failure `storage` where they are not there, or are not what name and size say */
  read(reference: BlobReference): Buffer
}

const pattern = /^[0-9a-f]{64}$/

/** The name of bytes. */
export function blobName(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Where a blob lies. @throws Failure `bad_request` where that is no blob's name */
export function blobFile(folder: string, hash: string): string {
  if (pattern.test(hash)) return path.join(folder, hash)
  const quoted = JSON.stringify(hash.slice(0, 80))
  throw new Failure('bad_request', `${quoted} names no blob: a name has 64 characters of 0 to 9 and a to f`)
}

/** @param home `$RXPI_HOME`, absolute; its folder `blobs` is made when the first blob is written */
export function blobFolder(home: string, files: FileSystemPort = nodeFileSystem): BlobFolder {
  const folder = path.join(home, 'blobs')
  let isMade = false
  const ensureFolder = (): void => {
    ensurePrivateFolder(folder, home)
    tidyBlobs(folder)
    isMade = true
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
      if (!isMade) ensureFolder()
      if (hasBytes(file, bytes) && touchFile(file)) return file
      writeNew({ file, bytes, files })
      return file
    },
    touch: (hash) => touchFile(blobFile(folder, hash)),
    find,
    *piece(hash, wanted) {
      const piece = yield* blobPiece(blobFile(folder, hash), hash, wanted)
      if (piece?.isTrue === false) throw damagedBlob(hash, folder)
      return piece
    },
    read: ({ blob, bytes: size }) => {
      const bytes = find(blob)
      if (bytes === undefined) throw missingBlob(blob, `is not in ${folder}`)
      if (bytes.length !== size)
        throw missingBlob(blob, `in ${folder} has ${bytes.length} bytes, where its line says ${size}`)
      return bytes
    },
  }
}

function damagedBlob(hash: string, folder: string): Failure {
  return missingBlob(hash, `in ${folder} is not what its name says`)
}

function missingBlob(blob: string, what: string): Failure {
  return new Failure('storage', `The blob ${blob} ${what}: its content is lost`, { data: { blob } })
}

/** True where the very bytes are there: a power cut can leave a name with other ones. */
function hasBytes(file: string, bytes: Buffer): boolean {
  return readBytes(file)?.equals(bytes) === true
}

/** Undefined where there is none. @throws Failure `storage` */
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

/** Microseconds matter: two that want a blob in the same millisecond leave different times. */
function touchFile(file: string): boolean {
  const now = (performance.timeOrigin + performance.now()) / 1_000
  try {
    lutimesSync(file, now, now)
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return false
    throw storageFailure(`mark ${file} as wanted`, thrown)
  }
  return existsSync(file) // who removes it has moved it away before it looked at the time
}

interface NewBlob {
  readonly file: string
  readonly bytes: Buffer
  readonly files: FileSystemPort
}

let written = 0

/** Under a name of its own first: what stands under the blob's name is whole. */
function writeNew({ file, bytes, files }: NewBlob): void {
  const beside = `${file}.${process.pid}-${(written += 1)}.new`
  removeLeftOver(beside)
  const descriptor = createPrivateFile(beside)
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
    renameSync(beside, file)
  } catch (thrown) {
    removeLeftOver(beside)
    throw storageFailure(`write ${file}`, thrown)
  }
}

/** Of a process with this number that died here. */
function removeLeftOver(beside: string): void {
  try {
    unlinkSync(beside)
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOENT') throw storageFailure(`remove ${beside}`, thrown)
  }
}

// What a process that died left among the blobs is put in order by the next one that writes a blob.

/** Milliseconds after which nobody is at work with such a file any more. */
const abandonedMs = 60 * 60 * 1_000

/** Removes blobs that were never whole, and puts back those that were being removed: whether a log names them was not known. */
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
      // another process was first, or it stays: nothing depends on it
    }
  }
}

// A piece of a blob is given when all of its bytes were found to be what its name says; they are read a mebibyte at a time.

/** Bytes of one look. */
const lookBytes = 1_048_576

interface BlobPiece {
  /** How many bytes the whole has. */
  readonly bytes: number
  /** Those that were asked for; empty behind the last. */
  readonly data: Buffer
  /** False where the whole is not what its name says. */
  readonly isTrue: boolean
}

interface PieceRange {
  /** Of the whole, in bytes. */
  readonly offset: number
  /** Most bytes of the piece: no more than that, and one look, are in memory. */
  readonly limit: number
}

/** Each step takes one look; returns the piece, or undefined where there is no blob. @throws Failure `storage` */
export function* blobPiece(
  file: string,
  hash: string,
  { offset, limit }: PieceRange,
): Generator<undefined, BlobPiece | undefined> {
  const opened = openBlob(file)
  if (opened === undefined) return undefined
  try {
    const look = Buffer.allocUnsafe(Math.min(lookBytes, opened.size + 1))
    const data = Buffer.alloc(Math.min(limit, Math.max(0, opened.size - offset)))
    const digest = createHash('sha256')
    let at = 0
    for (let count = read(file, opened.descriptor, look); count > 0; count = read(file, opened.descriptor, look)) {
      digest.update(look.subarray(0, count))
      look.copy(data, Math.max(0, at - offset), Math.min(count, Math.max(0, offset - at)), count)
      at += count
      yield undefined
    }
    return { bytes: at, data, isTrue: digest.digest('hex') === hash }
  } finally {
    closeSync(opened.descriptor)
  }
}

function read(file: string, descriptor: number, look: Buffer): number {
  try {
    return readSync(descriptor, look, 0, look.length, null)
  } catch (thrown) {
    throw storageFailure(`read ${file}`, thrown)
  }
}
