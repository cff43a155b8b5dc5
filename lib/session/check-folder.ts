// What a session is to work in is an absolute path to a folder that is there.
import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { Failure } from '../streams/failure.ts'

/** @throws Failure `bad_request` */
export function checkFolder(cwd: string): void {
  if (!isAbsolute(cwd)) throw new Failure('bad_request', `cwd is "${cwd}", which is not an absolute path`)
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Failure('bad_request', `cwd is "${cwd}", which is not a folder`)
  }
}
