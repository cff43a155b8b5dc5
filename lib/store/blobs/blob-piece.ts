// Reads a piece of a blob and checks the whole blob against its name, one mebibyte at a time.
import { createHash } from 'node:crypto'
import { closeSync, readSync } from 'node:fs'
import { storageFailure } from '../../host/files/storage-failure.ts'
import { openBlob } from './open-blob.ts'

/** Bytes per read. */
const bufferBytes = 1_048_576

interface BlobPiece {
  /** Size of the whole blob in bytes. */
  readonly bytes: number
  /** The requested bytes; empty past the end. */
  readonly data: Buffer
  /** False if the blob does not match its name. */
  readonly isIntact: boolean
}

interface PieceRange {
  /** Offset in the whole blob, in bytes. */
  readonly offset: number
  /** Most bytes of the piece; memory holds at most this plus one read. */
  readonly limit: number
}

/** Each step does one read; returns the piece, or undefined if there is no such blob. @throws Failure `storage` */
export function* blobPiece(
  file: string,
  hash: string,
  { offset, limit }: PieceRange,
): Generator<undefined, BlobPiece | undefined> {
  const opened = openBlob(file)
  if (opened === undefined) return undefined
  try {
    const chunk = Buffer.allocUnsafe(Math.min(bufferBytes, opened.size + 1))
    const data = Buffer.alloc(Math.min(limit, Math.max(0, opened.size - offset)))
    const digest = createHash('sha256')
    let at = 0
    for (
      let count = readChunk(file, opened.descriptor, chunk);
      count > 0;
      count = readChunk(file, opened.descriptor, chunk)
    ) {
      digest.update(chunk.subarray(0, count))
      chunk.copy(data, Math.max(0, at - offset), Math.min(count, Math.max(0, offset - at)), count)
      at += count
      yield undefined
    }
    return { bytes: at, data, isIntact: digest.digest('hex') === hash }
  } finally {
    closeSync(opened.descriptor)
  }
}

function readChunk(file: string, descriptor: number, chunk: Buffer): number {
  try {
    return readSync(descriptor, chunk, 0, chunk.length, null)
  } catch (thrown) {
    throw storageFailure(`read ${file}`, thrown)
  }
}
