// Opens the file that a background server writes its messages to, and reads its last line.
import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { checkSocketFolder } from '../socket/check-socket.ts'

/** The last line that the server wrote. */
export function readLastLine({ path, size }: Pick<ServerLog, 'path' | 'size'>): string {
  const noOutput = 'it wrote nothing'
  try {
    const text = readFileSync(path).subarray(size).toString()
    return text.trimEnd().split('\n').at(-1) || noOutput
  } catch {
    return noOutput // the failure names the log anyway
  }
}

/** Bytes after which the log begins anew. */
const longestLog = 1_048_576

export interface ServerLog {
  readonly path: string
  /** Open for appending; the caller closes it. */
  readonly descriptor: number
  /** Bytes of earlier servers. */
  readonly size: number
}

/**
 * Opens `<socket>.log`, mode 0600, in a checked folder; never follows a link.
 * @throws Failure `unsafe_socket` or `storage`
 */
export function openServerLog(socket: string): ServerLog {
  checkSocketFolder(socket, { make: true })
  const path = `${socket}.log`
  const descriptor = openLog(path)
  try {
    const status = fstatSync(descriptor)
    if (!status.isFile() || status.uid !== process.geteuid?.() || status.nlink !== 1) throw unsafeLog(path)
    fchmodSync(descriptor, 0o600)
    if (status.size <= longestLog) return { path, descriptor, size: status.size }
    ftruncateSync(descriptor)
    return { path, descriptor, size: 0 }
  } catch (thrown) {
    closeSync(descriptor)
    throw thrown
  }
}

function openLog(path: string): number {
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    return openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ELOOP') throw unsafeLog(path)
    const why = describeThrown(cause)
    throw new Failure('storage', `Cannot open the server's log ${path}: ${why}`, { cause })
  }
}

function unsafeLog(path: string): Failure {
  return new Failure('unsafe_socket', `${path} is not a regular file of this user; remove it`, { data: { path } })
}
