// A blob is removed only where no log of its home names it any more, and nobody is about to name it at that moment.
import { existsSync, lstatSync, readdirSync, renameSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import { blobFile } from '../blobs/blob-folder.ts'
import { namedBlobs } from '../blobs/named-blobs.ts'

/** A blob that a removed log has named, and when it was last wanted, in milliseconds. */
export interface BlobToRemove {
  readonly file: string
  readonly hash: string
  readonly wantedAt: number
}

export interface BlobsToRemove {
  /** `$RXPI_HOME`. */
  readonly home: string
  readonly candidates: readonly BlobToRemove[]
}

/** The blobs of a home that some files name: what may have to go with those files. Reads them whole. @throws Failure `storage` */
export function blobsNamedIn(home: string, files: readonly string[]): BlobToRemove[] {
  const folder = path.join(home, 'blobs')
  if (!existsSync(folder)) return []
  const hashes = new Set<string>()
  for (const file of files) readAll(namedBlobs(file, (hash) => hashes.add(hash)))
  return [...hashes].flatMap((hash) => {
    const file = blobFile(folder, hash)
    const wantedAt = timeOf(file)
    return wantedAt === undefined ? [] : [{ file, hash, wantedAt }]
  })
}

/** Looks at every log of the home that is left, then removes what none names; the last step gives the paths. @throws Failure `storage` */
export function* removeBlobs({ home, candidates }: BlobsToRemove): Generator<readonly string[], void> {
  const unnamed = new Map(candidates.map((candidate) => [candidate.hash, candidate]))
  for (const file of unnamed.size === 0 ? [] : sessionFiles(path.join(home, 'sessions'))) {
    for (const nothing of namedBlobs(file, (hash) => unnamed.delete(hash))) yield nothing
    if (unnamed.size === 0) break
  }
  yield [...unnamed.values()].filter(removeOne).map(({ file }) => file)
}

function readAll(steps: Iterator<unknown>): void {
  while (steps.next().done !== true);
}

/** Moved away first: who wants it from now on finds that it is not there, and who wanted it just before has left a later time. */
function removeOne({ file, wantedAt }: BlobToRemove): boolean {
  const aside = `${file}.${process.pid}.removed`
  try {
    renameSync(file, aside)
    if (timeOf(aside) !== wantedAt) {
      renameSync(aside, file)
      return false
    }
    unlinkSync(aside)
    return true
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return false
    throw storageFailure(`remove ${file}`, thrown)
  }
}

function timeOf(file: string): number | undefined {
  return lstatSync(file, { throwIfNoEntry: false })?.mtimeMs
}

/** Logs, their repaired copies, and what else bears such a name. */
function sessionFiles(sessions: string): string[] {
  return namesBelow(sessions)
    .filter((name) => name.includes('.jsonl') || name.includes('.torn-'))
    .map((name) => path.join(sessions, name))
}

function namesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch (thrown) {
    throw storageFailure(`read the folder ${folder}`, thrown)
  }
}
