// Finds a blob in several folders: the home of this process and the home of the session file.
import path from 'node:path'
import type { BlobReference, Blobs } from '../../streams/log/blobs.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { BlobFolder } from './blob-folder.ts'
import { blobFolder } from './blob-folder.ts'

export interface FoundBlobs extends Pick<Blobs, 'read'> {
  /** Why the blob cannot be read, as in `the blob … is not in …`; undefined if it can. Each blob is read once. */
  faultOf(reference: BlobReference): string | undefined
}

/** Searches `own`, then the home that a log at this path belongs to. @param file absolute */
export function blobsOfFile(file: string, own?: BlobFolder): FoundBlobs {
  const ofLog = blobFolder(path.resolve(file, '../../..'))
  return foundBlobs(own === undefined || own.folder === ofLog.folder ? [ofLog] : [own, ofLog])
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
  const readFault = (reference: BlobReference): string | undefined => {
    try {
      bytesOf(reference)
      return undefined
    } catch (thrown) {
      return Failure.from(thrown, 'storage').message.replace(/^The/, 'the')
    }
  }
  const faultOf = (reference: BlobReference): string | undefined => {
    const key = `${reference.blob} ${reference.bytes}`
    if (!faults.has(key)) faults.set(key, readFault(reference))
    return faults.get(key)
  }
  return {
    read: (reference, encoding) => bytesOf(reference).toString(encoding),
    faultOf,
  }
}
