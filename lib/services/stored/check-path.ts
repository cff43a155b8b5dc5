// Checks that a path is absolute and that a session's folder exists.
import { statSync } from 'node:fs'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { isAbsolute } from 'node:path'

/** @throws Failure `bad_request` */
export function checkFolder(cwd: string): void {
  if (isFolder(absolutePath('cwd', cwd))) return
  throw new Failure('bad_request', `cwd is "${cwd}", which is not a folder`)
}

/** @throws Failure `bad_request` if the system cannot look at the path */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch (cause) {
    const why = describeThrown(cause)
    throw new Failure('bad_request', `cwd cannot be read: ${why}`, { cause })
  }
}

/** Returns the absolute path. @throws Failure `bad_request`, naming the field */
export function absolutePath(field: string, path: string): string {
  if (!isAbsolute(path)) throw new Failure('bad_request', `${field} is "${path}", which is not an absolute path`)
  if (path.includes('\0')) throw new Failure('bad_request', `${field} contains a NUL character, which no path can`)
  return path
}
