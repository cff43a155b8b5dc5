// A piece of a blob is given when all of its bytes were found to be what its name says; they are read a mebibyte at a time.
import { createHash } from 'node:crypto'
import { closeSync, readSync } from 'node:fs'
import { storageFailure } from '../../host/files/storage-failure.ts'
import { openBlob } from './open-blob.ts'

/** Bytes of one look. */
const lookBytes = 1_048_576

export interface BlobPiece {
  /** How many bytes the whole has. */
  readonly bytes: number
  /** Those that were asked for; empty behind the last. */
  readonly data: Buffer
  /** False where the whole is not what its name says. */
  readonly isTrue: boolean
}

export interface WantedPiece {
  /** Of the whole, in bytes. */
  readonly offset: number
  /** Most bytes of the piece: no more than that, and one look, are in memory. */
  readonly limit: number
}

/** Each step takes one look; returns the piece, or undefined where there is no blob. @throws Failure `storage` */
export function* blobPiece(
  file: string,
  hash: string,
  { offset, limit }: WantedPiece,
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
