// Finds the blob names in a file by scanning its bytes, so that damaged and foreign logs count too.
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'

/** Bytes per read. */
const bufferBytes = 1_048_576
/** Longest mention of a name: `blob": "<64 digits>"`, with the spaces that other writers may add. */
const maxReferenceLength = 96

/**
 * Calls `onName` for each blob name in a file, some of them twice. Yields an empty list after each mebibyte to let
 * other work run. A missing file names nothing. @throws Failure `storage`
 */
export function* scanBlobNames(file: string, onName: (hash: string) => void): Generator<readonly never[], void> {
  const descriptor = openFile(file)
  if (descriptor === undefined) return
  try {
    const buffer = Buffer.allocUnsafe(bufferBytes)
    let carried = 0 // bytes of the previous read in which a name may begin
    for (;;) {
      const count = readSync(descriptor, buffer, carried, buffer.length - carried, null)
      const filled = buffer.subarray(0, carried + count)
      emitNames(filled, onName)
      if (count === 0) return
      carried = Math.min(maxReferenceLength, filled.length)
      buffer.copyWithin(0, filled.length - carried, filled.length)
      yield []
    }
  } catch (thrown) {
    throw storageFailure(`read ${file}`, thrown)
  } finally {
    closeSync(descriptor)
  }
}

const field = Buffer.from('blob"')
const referencePattern = /^blob"\s{0,8}:\s{0,8}"([0-9a-f]{64})"/

function emitNames(bytes: Buffer, onName: (hash: string) => void): void {
  for (let at = bytes.indexOf(field); at >= 0; at = bytes.indexOf(field, at + field.length)) {
    const hash = referencePattern.exec(bytes.toString('latin1', at, at + maxReferenceLength))?.[1]
    if (hash !== undefined) onName(hash)
  }
}

function openFile(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT' || errnoOf(thrown) === 'ELOOP') return undefined
    throw storageFailure(`open ${file}`, thrown)
  }
}
