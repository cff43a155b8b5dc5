// Converts file errors to sentences that a model can act on.
import { errnoOf } from '../../host/files/storage-failure.ts'
import { errorResult } from '../../streams/ports/tool.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'
import { describeMissing } from './nearest-text.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'

/** An error whose message is the result. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
}

/** The error result for a failed act on a file. @param act `read`, `write` … */
export function fileProblemResult(act: string, file: string, thrown: unknown): ToolResult {
  if (thrown instanceof FileProblem) return errorResult(thrown.message)
  const failure = thrown instanceof Failure ? thrown : undefined
  if (failure?.code === 'not_allowed') return errorResult(`${failure.message}.`) // the fence
  const errno = errnoOf(thrown)
  if (errno === 'ENOENT') return errorResult(`Could not ${act} it: ${describeMissing(file)}.`)
  return errorResult(`Could not ${act} ${file}: ${describeThrown(thrown)}.`)
}
