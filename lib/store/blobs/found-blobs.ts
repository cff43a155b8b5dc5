// A session file may lie in the home it was made in, or may have been carried to another: its blobs are looked for in both.
import path from 'node:path'
import type { BlobReference, Blobs } from '../../streams/log/blobs.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { BlobFolder } from './blob-folder.ts'
import { blobFolder } from './blob-folder.ts'

export interface FoundBlobs extends Pick<Blobs, 'read'> {
  /** Why it cannot be read, as in `the blob … is not in …`; undefined where it can. Each blob is read once. */
  faultOf(reference: BlobReference): string | undefined
}

/** Those of the home in which a log of that name would lie, then those of `own`. @param file absolute */
export function blobsOfFile(file: string, own?: BlobFolder): FoundBlobs {
  const beside = blobFolder(path.resolve(file, '../../..'))
  return foundBlobs(own === undefined || own.folder === beside.folder ? [beside] : [own, beside])
}

/** What the first folder that has it gives. */
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
    throw failure ?? new Failure('storage', `The blob ${reference.blob} is kept nowhere: its content is lost`)
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
