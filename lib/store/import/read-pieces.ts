// Reads a named file in pieces of 1 MiB.
// Refuses anything but a regular file, as a pipe may never end.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { storageFailure } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'

/** split2 searches a begun line again with each piece, so the pieces are large. */
const pieceLength = 1024 * 1024

/** The bytes of a file; each piece is valid until the next is requested. @throws Failure `bad_request`, `storage` */
export function* readPieces(file: string): Generator<Uint8Array, void> {
  const descriptor = openFile(file)
  try {
    if (!fstatSync(descriptor).isFile()) {
      throw new Failure('bad_request', `${file} is not a file; name a session file`)
    }
    const piece = Buffer.allocUnsafe(pieceLength)
    for (let length = readPiece(file, descriptor, piece); length > 0; length = readPiece(file, descriptor, piece)) {
      yield piece.subarray(0, length)
    }
  } finally {
    closeSync(descriptor)
  }
}

function openFile(file: string): number {
  try {
    // without O_NONBLOCK, opening a pipe would wait for a writer
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch (thrown) {
    const { message } = storageFailure(`open ${file}`, thrown)
    throw new Failure('bad_request', message, { cause: thrown })
  }
}

function readPiece(file: string, descriptor: number, piece: Buffer): number {
  try {
    return readSync(descriptor, piece, 0, piece.length, null)
  } catch (thrown) {
    throw storageFailure(`read ${file}`, thrown)
  }
}
