// What a session is to work in is an absolute path to a folder that is there.
import { statSync } from 'node:fs'
import { Failure } from '../../streams/values/failure.ts'
import { absolutePath } from './absolute-path.ts'
import { describeThrown } from '../../streams/values/failure.ts'

/** @throws Failure `bad_request` */
export function checkFolder(cwd: string): void {
  if (isFolder(absolutePath('cwd', cwd))) return
  throw new Failure('bad_request', `cwd is "${cwd}", which is not a folder`)
}

/** @throws Failure `bad_request` where the system does not say */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch (cause) {
    const why = describeThrown(cause)
    throw new Failure('bad_request', `cwd cannot be looked at: ${why}`, { cause })
  }
}
