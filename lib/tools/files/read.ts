// Reading leaves no trace, never blocks on what is no regular file, and never takes in more of a file than it shows.
import { closeSync, constants, fstatSync, open, readFile } from 'node:fs'
import { catchError, of } from 'rxjs'
import { realTarget } from '../../host/files/resolve-path.ts'
import { resolvePath } from '../../host/files/resolve-path.ts'
import { defineTool } from '../../streams/ports/tool.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { detectImageType } from '../../streams/values/image-type.ts'
import type { Tool, ToolResult } from '../../streams/ports/tool.ts'
import { argumentsValidator } from '../shared/arguments-validator.ts'
import { FileProblem, fileProblemResult } from './file-problem.ts'
import { readParameters } from '../generated/parameter-validators.js'
import { ReadParameters } from '../shared/parameters.ts'
import { readChunk } from './read-window.ts'
import { readText } from './read-text.ts'
import type { TextRange, OpenFile } from './read-text.ts'
import { shellQuote } from '../shared/shell-quote.ts'
import type { ImageType } from '../../streams/values/image-type.ts'
import { formatBytes } from '../shared/output-limits.ts'

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
    return fromAbortable((signal) => readPath(file, range, signal)).pipe(
      catchError((thrown: unknown) => of(fileProblemResult('read', file, thrown))),
    )
  },
})

/** Of the system's calls only those wait in a thread of their own that may have to wait for a disk: opening and reading. */
async function readPath(path: string, range: TextRange, signal: AbortSignal): Promise<ToolResult> {
  const descriptor = await opened(path)
  try {
    const status = fstatSync(descriptor)
    if (status.isDirectory())
      throw new FileProblem(`${path} is a folder; list it with bash: ls -la ${shellQuote(path)}`)
    if (!status.isFile()) throw new FileProblem(`${path} is no regular file but a pipe or device; it cannot be read.`)
    const first = await readChunk(descriptor, 0)
    const file = { path, descriptor, size: status.size, first }
    const image = detectImageType(first)
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

// An image goes to the model as it is, or not at all: one that is too big says so instead of failing the whole request.

/** As base64 this is 5,000,000 characters, the most that every model API takes. */
const maxBytes = 3_750_000

/** Reads an open file as an image of the given type. */
async function readImage(file: OpenFile, mimeType: ImageType, signal: AbortSignal): Promise<ToolResult> {
  const { path, descriptor, size } = file
  if (size > maxBytes) throw new FileProblem(describeTooBig(path, size))
  const bytes = await wholeFile(descriptor, signal)
  if (bytes.length > maxBytes) throw new FileProblem(describeTooBig(path, bytes.length))
  return {
    type: 'result',
    content: [
      { type: 'text', text: `${path} (${mimeType}, ${formatBytes(bytes.length)})` },
      { type: 'image', mimeType, data: bytes.toString('base64') },
    ],
    details: { path, mimeType, bytes: bytes.length },
  }
}

/** From where nothing was read yet: chunks are read at positions of their own. */
function wholeFile(descriptor: number, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    readFile(descriptor, { signal }, (error, bytes) => {
      if (error === null) resolve(bytes)
      else reject(error)
    })
  })
}

function describeTooBig(path: string, bytes: number): string {
  const smaller = `magick ${shellQuote(path)} -resize 1600x1600 smaller.png`
  return `${path} is an image of ${formatBytes(bytes)}; at most ${formatBytes(maxBytes)} can be shown. Make it smaller, for example with bash: ${smaller}`
}
