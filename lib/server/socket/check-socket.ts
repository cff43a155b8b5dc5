// What stands at the socket's path is this user's own socket or nothing at all; a link or a file is never used or removed.
import { lstatSync } from 'node:fs'
import { Failure } from '../../streams/values/failure.ts'

/**
 * Whether there is a socket. Its folder must have been checked before.
 * @throws Failure `unsafe_socket` where something else stands there, or a socket that others own or may write to
 */
export function checkSocket(path: string): boolean {
  const status = lstatSync(path, { throwIfNoEntry: false })
  if (status === undefined) return false
  if (status.isSymbolicLink()) throw unsafe(path, 'is a symbolic link', 'name the socket it points to, or remove it')
  if (!status.isSocket()) throw unsafe(path, 'is no socket', 'move it away, or choose another with --socket')
  if (status.uid !== process.geteuid?.()) throw unsafe(path, `belongs to user ${status.uid}`, 'choose one of yours')
  const mode = status.mode & 0o777
  if ((mode & 0o077) !== 0) throw unsafe(path, `has mode ${mode.toString(8)}`, `chmod 600 ${path}`)
  return true
}

function unsafe(path: string, fault: string, advice: string): Failure {
  return new Failure('unsafe_socket', `${path} ${fault}: ${advice}`, { data: { path } })
}
