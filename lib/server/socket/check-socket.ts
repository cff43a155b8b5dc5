// Checks that only this user can change a socket and its folders (docs/design/security.md#S8).
import { lstatSync, chmodSync, mkdirSync, realpathSync } from 'node:fs'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import type { Stats } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Whether there is a socket at the path. The caller has checked its folder.
 * @throws Failure `unsafe_socket` for a link, a file, or a socket that other users own or can write to
 */
export function checkSocket(path: string): boolean {
  const status = lstatSync(path, { throwIfNoEntry: false })
  if (status === undefined) return false
  if (status.isSymbolicLink())
    throw unsafeSocket(path, 'is a symbolic link', 'name the socket it points to, or remove it')
  if (!status.isSocket()) throw unsafeSocket(path, 'is not a socket', 'move it away, or choose another with --socket')
  if (status.uid !== process.geteuid?.())
    throw unsafeSocket(path, `belongs to user ${status.uid}`, 'choose one of yours')
  const mode = status.mode & 0o777
  if ((mode & 0o077) !== 0) throw unsafeSocket(path, `has mode ${mode.toString(8)}`, `chmod 600 ${path}`)
  return true
}

function unsafeSocket(path: string, fault: string, advice: string): Failure {
  return new Failure('unsafe_socket', `${path} ${fault}: ${advice}`, { data: { path } })
}

/**
 * Whether the folder of this socket exists. With `make` a missing folder is created; its parent must exist.
 * @throws Failure `unsafe_socket` unless the folder belongs to this user, has mode 0700 and is not a symbolic link, and
 *   other users cannot replace a folder above it; `storage` if it cannot be created
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

/** Sets the mode whatever the umask is; an existing folder stays as it is. */
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
  if (!status.isDirectory()) throw unsafeFolder(folder, 'is not a folder', 'move it away')
  if (status.uid !== process.geteuid?.()) {
    throw unsafeFolder(folder, `belongs to user ${status.uid}`, 'choose a folder of yours')
  }
  const mode = status.mode & 0o7777
  if ((mode & 0o777) !== 0o700) throw unsafeFolder(folder, `has mode ${mode.toString(8)}`, `chmod 700 ${folder}`)
}

/** Lists the folders up to the root with symbolic links resolved: `/tmp` and `/var/run` are links on some systems. */
function foldersAbove(folder: string): string[] {
  const above = [realpathSync(dirname(folder))]
  for (let path = above[0] ?? '/'; path !== dirname(path); path = dirname(path)) above.push(dirname(path))
  return above
}

/** A user who owns a folder, or can write to it without the sticky bit, can replace the folders in it. */
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
