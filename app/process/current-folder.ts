// Reads the current folder; explains the failure if the folder was removed.
import { Failure } from '../../lib/streams/values/failure.ts'

/**
 * Absolute.
 * @param otherwise alternative that the message names
 * @throws Failure `bad_request` if the folder does not exist any more
 */
export function currentFolder(otherwise = ''): string {
  try {
    return process.cwd()
  } catch {
    const message = `the current folder does not exist any more; change to another${otherwise}`
    throw new Failure('bad_request', message)
  }
}
