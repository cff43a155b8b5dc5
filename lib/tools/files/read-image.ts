// An image goes to the model as it is, or not at all: one that is too big says so instead of failing the whole request.
import { readFile } from 'node:fs'
import type { ImageType } from '../../streams/values/image-type.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'
import { FileProblem } from './file-problem.ts'
import { formatBytes } from '../shared/format-bytes.ts'
import type { OpenFile } from './read-text.ts'
import { shellQuote } from '../shared/shell-quote.ts'

/** As base64 this is 5,000,000 characters, the most that every model API takes. */
const maxBytes = 3_750_000

/** Reads an open file as an image of the given type. */
export async function readImage(file: OpenFile, mimeType: ImageType, signal: AbortSignal): Promise<ToolResult> {
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
