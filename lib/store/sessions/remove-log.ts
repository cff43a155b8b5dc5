// A session is removed only by who holds its lock, with everything that is kept for it alone.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { EMPTY, Observable, catchError, concat, defer, ignoreElements, reduce } from 'rxjs'
import { storageFailure } from '../../host/files/storage-failure.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { inSlices } from '../../host/process/in-slices.ts'
import { blobsNamedIn, removeBlobs } from './remove-blobs.ts'
import type { BlobToRemove } from './remove-blobs.ts'
import { readIndex, removeIndex, writeIndex } from './session-index.ts'
import { takeLock } from '../locks/session-lock.ts'
import { syncFolders } from '../disk/sync-folders.ts'

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
    return concat(unlisted(log.file), synced(log), unnamed$)
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
    const logs = [file, ...besides(file)]
    const blobs = blobsNamedIn(home, logs)
    // the log first: what a power cut leaves of the others belongs to no session any more
    const paths = [...logs, ...folders.filter((folder) => existsSync(folder))]
    for (const each of paths) remove(each)
    return { paths, blobs }
  } finally {
    lock.release()
  }
}

function besides(file: string): string[] {
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
function unlisted(file: string): Observable<never> {
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

function synced({ file, files }: LogToRemove): Observable<never> {
  return new Observable((subscriber) => {
    syncFolders(files, [path.dirname(file)], (failure) => {
      if (failure === undefined) subscriber.complete()
      else subscriber.error(failure)
    })
  })
}
