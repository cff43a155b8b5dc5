// Hides a log under another name until it is complete.
// Guarantees: no id, no list and no `-c` finds a log whose writer was killed before it was published.
import { lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { Observable, defer } from 'rxjs'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import { syncFolder } from '../disk/file-system-port.ts'
import { lockHolder } from '../locks/session-lock.ts'
import { removeLog } from './remove-log.ts'
import type { LogToRemove } from './remove-log.ts'

export interface HiddenLog {
  readonly log: SessionLog
  /** Gives the closed log its name and completes when the folder is synced. Fails with Failure `storage`. */
  publish(): Observable<never>
  /** Removes the closed log with everything stored for it alone. Fails as `removeLog` does. */
  remove(): Observable<readonly string[]>
}

/** Ends the file name of a hidden log. */
export const hiddenSuffix = '.importing'

/** @param own `file`: the hidden file */
export function hiddenLog({ log, ...own }: Omit<LogToRemove, 'folders'> & { readonly log: SessionLog }): HiddenLog {
  const { file, files } = own
  return {
    log,
    publish: () =>
      defer(() => {
        try {
          renameSync(file, file.slice(0, -hiddenSuffix.length))
        } catch (thrown) {
          throw storageFailure(`name the imported log ${file}`, thrown)
        }
        return syncFolder(files, path.dirname(file))
      }),
    remove: () => removeLog({ ...own, folders: [] }),
  }
}

/** Milliseconds after its last write in which an unlocked log stays: it was closed and is about to get its name. */
const publishMs = 60_000

/** Removes the hidden logs of killed writers from a folder. One that cannot be removed stays, and hinders no writer. */
export function removeAbandonedLogs(folder: string): void {
  const names = readdirSync(folder).filter((name) => name.endsWith(`.jsonl${hiddenSuffix}`))
  for (const name of names) removeIfAbandoned(path.join(folder, name))
}

function removeIfAbandoned(file: string): void {
  try {
    const written = lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - written < publishMs || lockHolder(file) !== undefined) return
    rmSync(file, { force: true })
    rmSync(`${file}.lock`, { force: true })
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown // a defect; an error of the system leaves the file to the next writer
  }
}
