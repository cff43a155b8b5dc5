// Finds out whether the file at a log's path is still the open file, with the bytes that this process wrote.
import { fstatSync, lstatSync } from 'node:fs'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'

export interface OpenLogFile {
  /** The path at which the log was opened. */
  readonly file: string
  readonly descriptor: number
  /** Bytes that this process read and wrote. */
  readonly size: number
  /** Whether the rest of a failed write may follow them. */
  readonly isTorn: boolean
}

/** What another program did to the file; in `data.change` of the failure. */
type Change = 'removed' | 'replaced' | 'truncated' | 'appended'

/**
 * Compares device, inode, link count and size (docs/design/security.md#S24). Further hard links are no fault. Returns
 * Failure `storage`, undefined if there is no fault. Takes two system calls, about 5 µs.
 */
export function findLogFault({ file, descriptor, size, isTorn }: OpenLogFile): Failure | undefined {
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
