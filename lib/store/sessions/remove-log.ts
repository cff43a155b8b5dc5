// A session is removed only by who holds its lock, with everything that is kept for it alone.
import { existsSync, readdirSync, rmSync, lstatSync, renameSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { EMPTY, Observable, catchError, concat, defer, ignoreElements, reduce } from 'rxjs'
import { storageFailure, errnoOf } from '../../host/files/storage-failure.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { inSlices } from '../../host/process/run-in-slices.ts'
import { readIndex, removeIndex, writeIndex } from './session-index.ts'
import { takeLock } from '../locks/session-lock.ts'
import { syncFolders } from '../disk/file-system-port.ts'
import { blobFile } from '../blobs/blob-folder.ts'
import { scanBlobNames } from '../blobs/found-blobs.ts'

export interface LogToRemove {
  readonly file: string
  readonly sessionId: string
  /** What else is kept for this session alone; absolute, may be missing. */
  readonly folders: readonly string[]
  /** `$RXPI_HOME`: blobs that no other log of it names go as well. */
  readonly home: string
  readonly files: FileSystemPort
}

/**
 * Removes a log with what lies beside it under its name (torn ends, repaired copies), its folders, its entry in the index, and
 * the blobs that no other log of the home names (all of them are looked at, where it names any).
 * Emits the paths that were removed, once that survives a power cut. Fails with Failure `session_locked` where a process that
 * is alive holds it, `storage`.
 */
export function removeLog(log: LogToRemove): Observable<readonly string[]> {
  return defer(() => {
    const { paths, blobs } = removeLocked(log)
    const unnamed$ = inSlices(() => removeBlobs({ home: log.home, candidates: blobs })).pipe(
      reduce((all: readonly string[], some) => [...all, ...some], paths),
    )
    return concat(removeFromIndex(log.file), syncRemoval(log), unnamed$)
  })
}

interface Removed {
  readonly paths: readonly string[]
  /** What it named. */
  readonly blobs: readonly BlobToRemove[]
}

function removeLocked({ file, sessionId, folders, home }: LogToRemove): Removed {
  const lock = takeLock({ file, sessionId })
  try {
    const logs = [file, ...filesBeside(file)]
    const blobs = blobsNamedIn(home, logs)
    // the log first: what a power cut leaves of the others belongs to no session any more
    const paths = [...logs, ...folders.filter((folder) => existsSync(folder))]
    for (const each of paths) remove(each)
    return { paths, blobs }
  } finally {
    lock.release()
  }
}

function filesBeside(file: string): string[] {
  const folder = path.dirname(file)
  const stem = `${path.basename(file, '.jsonl')}.`
  const own = [path.basename(file), `${path.basename(file)}.lock`]
  const names = readdirSync(folder).filter((name) => name.startsWith(stem) && !own.includes(name))
  return names.sort().map((name) => path.join(folder, name))
}

function remove(target: string): void {
  try {
    rmSync(target, { recursive: true }) // does not follow links
  } catch (thrown) {
    throw storageFailure(`remove ${target}`, thrown)
  }
}

/** The index quotes the session's first and last words: they go as well, on a full disk with the index itself. */
function removeFromIndex(file: string): Observable<never> {
  const folder = path.dirname(file)
  const known = readIndex(folder)
  if (!known.delete(path.basename(file))) return EMPTY
  return fromAbortable((signal) => writeIndex(folder, [...known.values()], signal)).pipe(
    ignoreElements(),
    catchError(() => {
      removeIndex(folder)
      return EMPTY
    }),
  )
}

function syncRemoval({ file, files }: LogToRemove): Observable<never> {
  return new Observable((subscriber) => {
    syncFolders(files, [path.dirname(file)], (failure) => {
      if (failure === undefined) subscriber.complete()
      else subscriber.error(failure)
    })
  })
}

// A blob is removed only where no log of its home names it any more, and nobody is about to name it at that moment.

/** A blob that a removed log has named, and when it was last wanted, in milliseconds. */
interface BlobToRemove {
  readonly file: string
  readonly hash: string
  readonly wantedAt: number
}

interface BlobsToRemove {
  /** `$RXPI_HOME`. */
  readonly home: string
  readonly candidates: readonly BlobToRemove[]
}

/** The blobs of a home that some files name: what may have to go with those files. Reads them whole. @throws Failure `storage` */
export function blobsNamedIn(home: string, files: readonly string[]): BlobToRemove[] {
  const folder = path.join(home, 'blobs')
  if (!existsSync(folder)) return []
  const hashes = new Set<string>()
  for (const file of files) readAll(scanBlobNames(file, (hash) => hashes.add(hash)))
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
    for (const nothing of scanBlobNames(file, (hash) => unnamed.delete(hash))) yield nothing
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
