// A path that a client names is absolute, and one that the system can be asked about at all.
import { isAbsolute } from 'node:path'
import { Failure } from '../../streams/values/failure.ts'

/** The path. @throws Failure `bad_request`, naming the field */
export function absolutePath(field: string, path: string): string {
  if (!isAbsolute(path)) throw new Failure('bad_request', `${field} is "${path}", which is not an absolute path`)
  if (path.includes('\0')) throw new Failure('bad_request', `${field} has a NUL, which no path may have`)
  return path
}
