// Removes a session, under its lock, with everything stored for it alone.
import { existsSync, readdirSync, rmSync, lstatSync, renameSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { EMPTY, Observable, catchError, concat, defer, ignoreElements, reduce } from 'rxjs'
import { storageFailure, errnoOf } from '../../host/files/storage-failure.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { inSlices } from '../../host/process/run-in-slices.ts'
import { readSessionIndex, removeSessionIndex, writeSessionIndex } from './session-index.ts'
import { takeLock } from '../locks/session-lock.ts'
import { syncFolder } from '../disk/file-system-port.ts'
import { blobFile } from '../blobs/blob-folder.ts'
import { scanBlobNames } from '../blobs/scan-blob-names.ts'

export interface LogToRemove {
  readonly file: string
  readonly sessionId: string
  /** Other files of this session alone; absolute, may not exist. */
  readonly folders: readonly string[]
  /** `$RXPI_HOME`: blobs that none of its other logs names are removed too. */
  readonly home: string
  readonly files: FileSystemPort
}

/**
 * Removes a log with the files beside it (torn ends, repaired copies), its folders, its index entry, and the blobs that
 * no other log of the home names. Reads all logs if it names any blob. Emits the removed paths after the folder is
 * synced. Fails with Failure `session_locked` if a living process holds it, `storage`.
 */
export function removeLog(log: LogToRemove): Observable<readonly string[]> {
  return defer(() => {
    const { paths, blobs } = removeLocked(log)
    const unreferenced$ = inSlices(() => removeBlobs({ home: log.home, candidates: blobs })).pipe(
      reduce((all: readonly string[], some) => [...all, ...some], paths),
    )
    return concat(removeFromIndex(log.file), syncFolder(log.files, path.dirname(log.file)), unreferenced$)
  })
}

interface Removed {
  readonly paths: readonly string[]
  /** Blobs that it named. */
  readonly blobs: readonly BlobToRemove[]
}

function removeLocked({ file, sessionId, folders, home }: LogToRemove): Removed {
  const lock = takeLock({ file, sessionId })
  try {
    const logs = [file, ...filesBeside(file)]
    const blobs = blobsNamedIn(home, logs)
    // the log first: after a power cut the remaining files belong to no session
    const paths = [...logs, ...folders.filter((folder) => existsSync(folder))]
    for (const each of paths) remove(each)
    return { paths, blobs }
  } finally {
    lock.release()
  }
}

function filesBeside(file: string): string[] {
  const folder = path.dirname(file)
  const prefix = `${path.basename(file, '.jsonl')}.`
  const own = [path.basename(file), `${path.basename(file)}.lock`]
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix) && !own.includes(name))
  return names.sort().map((name) => path.join(folder, name))
}

function remove(target: string): void {
  try {
    rmSync(target, { recursive: true }) // does not follow links
  } catch (thrown) {
    throw storageFailure(`remove ${target}`, thrown)
  }
}

/**
 * The index quotes the session's first and last words, so they are removed too; on a full disk by removing the index
 * itself.
 */
function removeFromIndex(file: string): Observable<never> {
  const folder = path.dirname(file)
  const known = readSessionIndex(folder)
  if (!known.delete(path.basename(file))) return EMPTY
  return fromAbortable((signal) => writeSessionIndex(folder, [...known.values()], signal)).pipe(
    ignoreElements(),
    catchError(() => {
      removeSessionIndex(folder)
      return EMPTY
    }),
  )
}

// A blob is removed only if no log of its home names it and no process is about to.

/** A blob that a removed log named. */
interface BlobToRemove {
  readonly file: string
  readonly hash: string
  /** Its last use, Unix milliseconds. */
  readonly usedAt: number
}

interface BlobsToRemove {
  /** `$RXPI_HOME`. */
  readonly home: string
  readonly candidates: readonly BlobToRemove[]
}

/**
 * The blobs of a home that these files name: candidates for removal. Reads the files whole. @throws Failure `storage`
 */
export function blobsNamedIn(home: string, files: readonly string[]): BlobToRemove[] {
  const folder = path.join(home, 'blobs')
  if (!existsSync(folder)) return []
  const hashes = new Set<string>()
  for (const file of files) readAll(scanBlobNames(file, (hash) => hashes.add(hash)))
  return [...hashes].flatMap((hash) => {
    const file = blobFile(folder, hash)
    const usedAt = timeOf(file)
    return usedAt === undefined ? [] : [{ file, hash, usedAt }]
  })
}

/**
 * Reads every remaining log of the home, then removes the unnamed blobs; the last step returns the paths. @throws
 * Failure `storage`
 */
export function* removeBlobs({ home, candidates }: BlobsToRemove): Generator<readonly string[], void> {
  const unreferenced = new Map(candidates.map((candidate) => [candidate.hash, candidate]))
  for (const file of unreferenced.size === 0 ? [] : sessionFiles(path.join(home, 'sessions'))) {
    for (const nothing of scanBlobNames(file, (hash) => unreferenced.delete(hash))) yield nothing
    if (unreferenced.size === 0) break
  }
  yield [...unreferenced.values()].filter(removeOne).map(({ file }) => file)
}

function readAll(steps: Iterator<unknown>): void {
  while (steps.next().done !== true);
}

/** Moves the blob away first: a later writer then finds it missing, and an earlier one has left a newer time. */
function removeOne({ file, usedAt }: BlobToRemove): boolean {
  const movedFile = `${file}.${process.pid}.removed`
  try {
    renameSync(file, movedFile)
    if (timeOf(movedFile) !== usedAt) {
      renameSync(movedFile, file)
      return false
    }
    unlinkSync(movedFile)
    return true
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return false
    throw storageFailure(`remove ${file}`, thrown)
  }
}

function timeOf(file: string): number | undefined {
  return lstatSync(file, { throwIfNoEntry: false })?.mtimeMs
}

/** Logs, repaired copies and other files with such a name. */
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
