// What stands at the socket's path is this user's own socket or nothing at all; a link or a file is never used or removed.
import { lstatSync, chmodSync, mkdirSync, realpathSync } from 'node:fs'
import { Failure } from '../../streams/values/failure.ts'
import type { Stats } from 'node:fs'
import { dirname } from 'node:path'
import { describeThrown } from '../../streams/values/failure.ts'

/**
 * Whether there is a socket. Its folder must have been checked before.
 * @throws Failure `unsafe_socket` where something else stands there, or a socket that others own or may write to
 */
export function checkSocket(path: string): boolean {
  const status = lstatSync(path, { throwIfNoEntry: false })
  if (status === undefined) return false
  if (status.isSymbolicLink())
    throw unsafeSocket(path, 'is a symbolic link', 'name the socket it points to, or remove it')
  if (!status.isSocket()) throw unsafeSocket(path, 'is no socket', 'move it away, or choose another with --socket')
  if (status.uid !== process.geteuid?.())
    throw unsafeSocket(path, `belongs to user ${status.uid}`, 'choose one of yours')
  const mode = status.mode & 0o777
  if ((mode & 0o077) !== 0) throw unsafeSocket(path, `has mode ${mode.toString(8)}`, `chmod 600 ${path}`)
  return true
}

function unsafeSocket(path: string, fault: string, advice: string): Failure {
  return new Failure('unsafe_socket', `${path} ${fault}: ${advice}`, { data: { path } })
}

// Nobody but this user may put anything in the socket's place: its folder is looked at before a byte is sent (SECURITY S8).

/**
 * Whether the folder of this socket is there; one that is belongs to this user, has mode 0700 and is no symbolic link, and
 * no folder above it can be exchanged by others. With `make` a missing one is made, its parent must be there.
 * @throws Failure `unsafe_socket` where it is not so, `storage` where it cannot be made
 */
export function checkSocketFolder(socket: string, { make = false } = {}): boolean {
  const folder = dirname(socket)
  if (make) makeFolder(folder)
  const status = lstatSync(folder, { throwIfNoEntry: false })
  if (status === undefined) return false
  checkOwn(folder, status)
  for (const above of foldersAbove(folder)) checkAbove(above)
  return true
}

/** Whatever the umask; what stands there already is left as it is. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
    chmodSync(folder, 0o700)
  } catch (cause) {
    if (isErrno(cause, 'EEXIST')) return
    const why = describeThrown(cause)
    const advice = isErrno(cause, 'ENOENT') ? 'make the folder above it' : 'choose another with --socket or RXPI_SOCKET'
    throw new Failure('storage', `Cannot make the folder of the socket, ${folder}: ${why}; ${advice}`, { cause })
  }
}

function checkOwn(folder: string, status: Stats): void {
  if (status.isSymbolicLink()) throw unsafeFolder(folder, 'is a symbolic link', 'name the folder it points to')
  if (!status.isDirectory()) throw unsafeFolder(folder, 'is no folder', 'move it away')
  if (status.uid !== process.geteuid?.()) {
    throw unsafeFolder(folder, `belongs to user ${status.uid}`, 'choose a folder of yours')
  }
  const mode = status.mode & 0o7777
  if ((mode & 0o777) !== 0o700) throw unsafeFolder(folder, `has mode ${mode.toString(8)}`, `chmod 700 ${folder}`)
}

/** Up to the root, symbolic links resolved: `/tmp` and `/var/run` are links on some systems. */
function foldersAbove(folder: string): string[] {
  const above = [realpathSync(dirname(folder))]
  for (let path = above[0] ?? '/'; path !== dirname(path); path = dirname(path)) above.push(dirname(path))
  return above
}

/** Who can write to a folder without the sticky bit, or owns it, can put another folder in the place of ours. */
function checkAbove(folder: string): void {
  const { mode, uid } = lstatSync(folder)
  if (uid !== 0 && uid !== process.geteuid?.()) {
    throw unsafeFolder(folder, `above the socket belongs to user ${uid}`, 'choose a folder below ones of yours')
  }
  if ((mode & 0o1002) === 0o002) {
    throw unsafeFolder(folder, 'above the socket can be written by everybody', `chmod o-w ${folder}, or choose another`)
  }
}

function isErrno(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code
}

function unsafeFolder(folder: string, fault: string, advice: string): Failure {
  const message = `${folder} ${fault}, so that others could listen in the server's place: ${advice}`
  return new Failure('unsafe_socket', message, { data: { path: folder } })
}
