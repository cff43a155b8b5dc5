// What a background server says goes to a private file beside its socket, which nobody can have put a link in the place of.
import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { Failure } from '../../streams/values/failure.ts'
import { checkSocketFolder } from '../socket/check-socket-folder.ts'
import { reasonOf } from '../../streams/values/reason-of.ts'

/** Bytes after which it begins anew. */
const enough = 1_048_576

export interface ServerLog {
  readonly path: string
  /** Open for appending; its taker's to close. */
  readonly descriptor: number
  /** Bytes that others have written. */
  readonly size: number
}

/** `<socket>.log`, mode 0600, in a checked folder. @throws Failure `unsafe_socket` or `storage` */
export function openServerLog(socket: string): ServerLog {
  checkSocketFolder(socket, { make: true })
  const path = `${socket}.log`
  const descriptor = opened(path)
  try {
    const status = fstatSync(descriptor)
    if (!status.isFile() || status.uid !== process.geteuid?.() || status.nlink !== 1) throw unsafe(path)
    fchmodSync(descriptor, 0o600)
    if (status.size <= enough) return { path, descriptor, size: status.size }
    ftruncateSync(descriptor)
    return { path, descriptor, size: 0 }
  } catch (thrown) {
    closeSync(descriptor)
    throw thrown
  }
}

function opened(path: string): number {
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    return openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ELOOP') throw unsafe(path)
    const why = reasonOf(cause)
    throw new Failure('storage', `Cannot open the server's log ${path}: ${why}`, { cause })
  }
}

function unsafe(path: string): Failure {
  return new Failure('unsafe_socket', `${path} is no plain file of ours; remove it`, { data: { path } })
}
