// A session is removed only by who holds its lock, with everything that is kept for it alone.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { EMPTY, Observable, concat, defer, ignoreElements, of } from 'rxjs'
import { storageFailure } from '../host/storage-failure.ts'
import { fromAbortable } from '../streams/from-abortable.ts'
import type { FileSystemPort } from './file-system-port.ts'
import { readIndex, writeIndex } from './session-index.ts'
import { takeLock } from './session-lock.ts'
import { syncFolders } from './sync-folders.ts'

export interface LogToRemove {
  readonly file: string
  readonly sessionId: string
  /** What else is kept for this session alone; absolute, may be missing. */
  readonly folders: readonly string[]
  readonly files: FileSystemPort
}

/**
 * Removes a log with what lies beside it under its name (torn ends, repaired copies), its folders and its entry in the index.
 * Emits the paths that were removed, once that survives a power cut. Fails with Failure `session_locked` where a process that
 * is alive holds it, `storage`.
 */
export function removeLog(log: LogToRemove): Observable<readonly string[]> {
  return defer(() => {
    const removed = removeLocked(log)
    return concat(unlisted(log.file), synced(log), of(removed))
  })
}

function removeLocked({ file, sessionId, folders }: LogToRemove): readonly string[] {
  const lock = takeLock({ file, sessionId })
  try {
    // the log first: what a power cut leaves of the others belongs to no session any more
    const paths = [file, ...besides(file), ...folders.filter((folder) => existsSync(folder))]
    for (const each of paths) remove(each)
    return paths
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

/** The index quotes the session's first and last words: they go as well. */
function unlisted(file: string): Observable<never> {
  const folder = path.dirname(file)
  const known = readIndex(folder)
  if (!known.delete(path.basename(file))) return EMPTY
  return fromAbortable((signal) => writeIndex(folder, [...known.values()], signal)).pipe(ignoreElements())
}

function synced({ file, files }: LogToRemove): Observable<never> {
  return new Observable((subscriber) => {
    syncFolders(files, [path.dirname(file)], (failure) => {
      if (failure === undefined) subscriber.complete()
      else subscriber.error(failure)
    })
  })
}
