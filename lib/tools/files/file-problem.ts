// Converts file errors to sentences that a model can act on.
import { errnoOf } from '../../host/files/storage-failure.ts'
import { errorResult } from '../../streams/ports/tool.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'
import { describeMissing } from './nearest-text.ts'
import { describeThrown } from '../../streams/values/failure.ts'

/** An error whose message is the result. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
}

/** The error result for a failed act on a file. @param act `read`, `write` … */
export function fileProblemResult(act: string, file: string, thrown: unknown): ToolResult {
  if (thrown instanceof FileProblem) return errorResult(thrown.message)
  const errno = errnoOf(thrown)
  if (errno === 'ENOENT') return errorResult(`Could not ${act} it: ${describeMissing(file)}.`)
  const reason = errno === undefined ? undefined : reasons[errno]
  const message = describeThrown(thrown)
  return errorResult(`Could not ${act} ${file}: ${reason ?? message}.`)
}

const reasons: Readonly<Record<string, string | undefined>> = {
  EACCES: 'permission denied',
  EPERM: 'the system does not permit it',
  EROFS: 'it lies on a read-only file system',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder',
  ENXIO: 'it is a socket or a device, not a file',
  EMFILE: 'too many files are open; try again',
}
