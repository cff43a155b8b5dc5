// Reading leaves no trace, never blocks on what is no regular file, and never takes in more of a file than it shows.
import { closeSync, constants, fstatSync, open } from 'node:fs'
import { catchError, of } from 'rxjs'
import { realTarget } from '../../host/files/real-target.ts'
import { resolvePath } from '../../host/files/resolve-path.ts'
import { defineTool } from '../../streams/ports/define-tool.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { imageType } from '../../streams/values/image-type.ts'
import type { Tool, ToolResult } from '../../streams/ports/tool.ts'
import { argumentsValidator } from '../shared/arguments-validator.ts'
import { FileProblem, fileProblemResult } from './file-problem.ts'
import { readParameters } from '../generated/parameter-validators.js'
import { ReadParameters } from '../shared/parameters.ts'
import { readChunk } from './read-chunk.ts'
import { readImage } from './read-image.ts'
import { readText } from './read-text.ts'
import type { TextRange } from './read-text.ts'
import { shellQuote } from '../shared/shell-quote.ts'

/**
 * Reads a text file (2,000 lines or 50 KB from line `offset`, with a notice of how to go on) or an image. One result, no
 * progress; what cannot be read is an error result. Unsubscribing closes the file.
 */
export const read: Tool<typeof ReadParameters> = defineTool({
  name: 'read',
  description: 'Read a text file or an image. Long files: at most 2000 lines or 50KB, go on with offset.',
  parameters: ReadParameters,
  validate: argumentsValidator(readParameters),
  sideEffectFree: true,
  capability: 'read',
  locks: ({ path }, { cwd }) => ({ read: [realTarget(resolvePath(path, cwd))] }),
  execute: ({ path, ...range }, { cwd }) => {
    const file = resolvePath(path, cwd)
    return fromAbortable((signal) => readFile(file, range, signal)).pipe(
      catchError((thrown: unknown) => of(fileProblemResult('read', file, thrown))),
    )
  },
})

/** Of the system's calls only those wait in a thread of their own that may have to wait for a disk: opening and reading. */
async function readFile(path: string, range: TextRange, signal: AbortSignal): Promise<ToolResult> {
  const descriptor = await opened(path)
  try {
    const status = fstatSync(descriptor)
    if (status.isDirectory())
      throw new FileProblem(`${path} is a folder; list it with bash: ls -la ${shellQuote(path)}`)
    if (!status.isFile()) throw new FileProblem(`${path} is no regular file but a pipe or device; it cannot be read.`)
    const first = await readChunk(descriptor, 0)
    const file = { path, descriptor, size: status.size, first }
    const image = imageType(first)
    return await (image === undefined ? readText(file, range, signal) : readImage(file, image, signal))
  } finally {
    closeSync(descriptor)
  }
}

/** Without O_NONBLOCK, opening a pipe would wait for somebody to write to it. */
function opened(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY, (error, descriptor) => {
      if (error === null) resolve(descriptor)
      else reject(error)
    })
  })
}
