// A shell may stand in a folder that somebody has removed; the system's own words for that help nobody.
import { Failure } from '../../lib/streams/values/failure.ts'

/** Absolute. @param otherwise what else the command offers, for the message. Throws `bad_request` where the folder is gone. */
export function currentFolder(otherwise = ''): string {
  try {
    return process.cwd()
  } catch {
    const message = `the folder that this shell is in is not there any more; go to another${otherwise}`
    throw new Failure('bad_request', message)
  }
}
