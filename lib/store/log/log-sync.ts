// Syncs a log: its blobs, its file, its folders; then checks that the file is still in its place.
// Guarantees: it succeeds only if the synced file is the one at the log's path (docs/design/security.md#S24).
import { storageFailure, errnoOf } from '../../host/files/storage-failure.ts'
import { syncFolders } from '../disk/file-system-port.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import type { StartSync } from '../disk/group-commit.ts'
import type { LineWriter } from '../lines/append-lines.ts'
import type { LogBlobs } from './log-blobs.ts'
import { fstatSync, lstatSync } from 'node:fs'
import { Failure } from '../../streams/values/failure.ts'

export interface LogSyncOptions {
  readonly files: FileSystemPort
  readonly descriptor: number
  readonly file: string
  /** Folders that the first sync includes, in order. */
  readonly folders: readonly string[]
  /** Synced before the lines that refer to them. */
  readonly blobs?: LogBlobs | undefined
  readonly writer: Pick<LineWriter, 'size' | 'isTorn'>
  /** Called if another program removed, replaced or changed the file. */
  onFault(fault: Failure): void
}

export function logSync({ files, descriptor, file, folders, blobs, writer, onFault }: LogSyncOptions): StartSync {
  let unsynced = folders

  function syncLines(done: Parameters<StartSync>[0]): void {
    files.fdatasync(descriptor, (error) => {
      if (error === null) syncFolders(files, unsynced, done)
      else done(storageFailure(`sync ${file}`, error))
    })
  }
  return (done) => {
    const check = (failure: Failure | undefined): void => {
      if (failure === undefined) unsynced = []
      const fault = findLogFault({ file, descriptor, size: writer.size, isTorn: writer.isTorn })
      if (fault !== undefined) onFault(fault)
      done(fault ?? failure) // a lost file explains a failed sync
    }
    if (blobs === undefined) syncLines(check)
    else
      blobs.sync((failure) => {
        if (failure === undefined) syncLines(check)
        else check(failure)
      })
  }
}

// Finds out whether the file at a log's path is still the open file, with the bytes that this process wrote.

interface OpenLogFile {
  /** The path at which the log was opened. */
  readonly file: string
  readonly descriptor: number
  /** Bytes that this process read and wrote. */
  readonly size: number
  /** Whether the rest of a failed write may follow them. */
  readonly isTorn: boolean
}

/** The change that another program made to the file; in `data.change` of the failure. */
type Change = 'removed' | 'replaced' | 'truncated' | 'appended'

/**
 * Compares device, inode, link count and size (docs/design/security.md#S24). Additional hard links are not a fault.
 * Returns Failure `storage`, undefined if there is no fault. Takes two system calls, about 5 µs.
 */
function findLogFault({ file, descriptor, size, isTorn }: OpenLogFile): Failure | undefined {
  try {
    const open = fstatSync(descriptor)
    const named = lstatSync(file)
    if (open.nlink === 0 || open.ino !== named.ino || open.dev !== named.dev) return faultOf('replaced', file)
    if (open.size < size) return faultOf('truncated', file, `it has ${open.size} bytes instead of ${size}`)
    if (open.size > size && !isTorn) return faultOf('appended', file, `it has ${open.size} bytes instead of ${size}`)
    return undefined
  } catch (thrown) {
    const errno = errnoOf(thrown)
    return errno === 'ENOENT' || errno === 'ENOTDIR'
      ? faultOf('removed', file)
      : storageFailure(`check ${file}`, thrown)
  }
}

const texts: Readonly<Record<Change, readonly [what: string, advice: string]>> = {
  removed: ['was removed', 'start a new session; attached clients can read this one until it is closed'],
  replaced: ['was replaced by another file', 'close the session and open it again to continue with that file'],
  truncated: ['was truncated by another program', 'close the session, then run "rxpi sessions verify"'],
  appended: ['was written to by another program', 'close the session, then run "rxpi sessions verify"'],
}

function faultOf(change: Change, file: string, details?: string): Failure {
  const [what, advice] = texts[change]
  const more = details === undefined ? '' : ` (${details})`
  const message = `The log ${file} ${what} while its session was open${more}: the session stores nothing any more; ${advice}`
  return new Failure('storage', message, { data: { file, change } })
}
