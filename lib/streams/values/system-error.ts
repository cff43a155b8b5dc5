// Words the errors of the operating system and of Node's parsers in plain English.
// Guarantees: no errno, system call or engine message is in the text; `data.errno` of a Failure keeps the code.
import { isRecord } from './json.ts'

/** The system's code of a thrown value (`ENOENT`); undefined if it is not an error of the system. */
export function systemErrno(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined
  // Node wraps some of them: ERR_FS_EISDIR has the system's code in `info`
  const info = 'info' in thrown && isRecord(thrown.info) ? thrown.info['code'] : undefined
  return [thrown.code, info].find(isErrno)
}

function isErrno(code: unknown): code is string {
  return typeof code === 'string' && /^E[A-Z0-9]{2,}$/.test(code)
}

/** The reason in words, without the file; undefined for any other error. */
export function describeSystemError(thrown: unknown): string | undefined {
  if (thrown instanceof SyntaxError && / JSON\b/.test(thrown.message)) return 'it is not valid JSON'
  const errno = systemErrno(thrown)
  if (errno === undefined) return undefined
  const reason = reasons[errno]
  if (reason !== undefined) return reason
  // an unlisted code of the system: its words without the code, the call and the file
  const message = thrown instanceof Error ? thrown.message : ''
  const words = /^E[A-Z0-9]+: ([^,]+)/.exec(message)?.[1]
  return (
    words ??
    (message.replaceAll(/\b(?:spawn|connect|listen) E[A-Z0-9]+\b|\bE[A-Z0-9]{2,}\b:? ?/g, '').trim() ||
      'the system refused it')
  )
}

/** The file that the system names in an error; undefined if it names none. */
export function systemErrorPath(thrown: unknown): string | undefined {
  if (systemErrno(thrown) === undefined || !(thrown instanceof Error) || !('path' in thrown)) return undefined
  return typeof thrown.path === 'string' ? thrown.path : undefined
}

const reasons: Readonly<Record<string, string | undefined>> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'the address is in use',
  EADDRNOTAVAIL: 'this machine has no such address',
  EAGAIN: 'the system is out of resources',
  EBADF: 'the file is closed',
  EBUSY: 'it is in use',
  ECONNREFUSED: 'nothing answers there',
  ECONNRESET: 'the connection was cut',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'it exists already',
  EFBIG: 'the file is too large',
  EHOSTUNREACH: 'the host cannot be reached',
  EINVAL: 'the system does not accept it',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENETUNREACH: 'the network cannot be reached',
  ENFILE: 'too many files are open on this machine',
  ENODEV: 'there is no such device',
  ENOENT: 'there is no such file or folder',
  ENOMEM: 'the memory is used up',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ENOTEMPTY: 'the folder is not empty',
  ENOTFOUND: 'there is no such host',
  ENXIO: 'it is a socket or a device, not a file',
  EPERM: 'the system does not permit it',
  EPIPE: 'the reader has gone',
  EROFS: 'it lies on a read-only file system',
  ETIMEDOUT: 'the connection timed out',
  ETXTBSY: 'the program is being written',
  EXDEV: 'it lies on another file system',
}
