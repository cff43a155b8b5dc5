// Reads blobs from several folders: the home of the session file and the home of this process.
import path from 'node:path'
import type { BlobReference, Blobs } from '../../streams/log/blobs.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { BlobFolder } from './blob-folder.ts'
import { blobFolder } from './blob-folder.ts'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'

export interface FoundBlobs extends Pick<Blobs, 'read'> {
  /** Why the blob cannot be read, as in `the blob … is not in …`; undefined if it can. Each blob is read once. */
  faultOf(reference: BlobReference): string | undefined
}

/** Searches the home that a log at this path belongs to, then `own`. @param file absolute */
export function blobsOfFile(file: string, own?: BlobFolder): FoundBlobs {
  const beside = blobFolder(path.resolve(file, '../../..'))
  return foundBlobs(own === undefined || own.folder === beside.folder ? [beside] : [own, beside])
}

/** Returns the blob from the first folder that has it. */
export function foundBlobs(folders: readonly BlobFolder[]): FoundBlobs {
  const faults = new Map<string, string | undefined>()
  const bytesOf = (reference: BlobReference): Buffer => {
    let failure: Failure | undefined
    for (const folder of folders) {
      try {
        return folder.read(reference)
      } catch (thrown) {
        failure ??= Failure.from(thrown, 'storage')
      }
    }
    throw failure ?? new Failure('storage', `The blob ${reference.blob} was not found: its content is lost`)
  }
  const faultOf = (reference: BlobReference): string | undefined => {
    const key = `${reference.blob} ${reference.bytes}`
    if (!faults.has(key))
      faults.set(
        key,
        reasonNotToRead(() => bytesOf(reference)),
      )
    return faults.get(key)
  }
  return {
    read: (reference, encoding) => bytesOf(reference).toString(encoding),
    faultOf,
  }
}

function reasonNotToRead(read: () => Buffer): string | undefined {
  try {
    read()
    return undefined
  } catch (thrown) {
    return Failure.from(thrown, 'storage').message.replace(/^The/, 'the')
  }
}

// Finds the blob names in a log by scanning its bytes, so that damaged, foreign and repaired files count too.

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
