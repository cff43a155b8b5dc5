// Reads an image for a model, or explains how to make it smaller.
import type { ToolResult } from '../../streams/ports/tool.ts'
import type { ImageType } from '../../streams/values/image-type.ts'
import { FileProblem } from '../shared/file-problem.ts'
import { formatBytes } from '../../streams/values/format-bytes.ts'
import { wholeFile } from './read-window.ts'
import type { OpenFile, ReadContent } from './read-window.ts'
import { shellQuote } from '../../host/process/shell-quote.ts'

// Sends an image unchanged or not at all; too large a one is reported instead of failing the whole request.

/** As base64 this is 5,000,000 characters, the limit of every model API. */
const maxBytes = 3_750_000

/** Reads an open file as an image of this type. */
export async function readImage(file: OpenFile, mimeType: ImageType, signal: AbortSignal): Promise<ReadContent> {
  const { path, size } = file
  if (size > maxBytes) throw new FileProblem(describeTooLarge(path, size))
  const bytes = await wholeFile(file, signal)
  if (bytes.length > maxBytes) throw new FileProblem(describeTooLarge(path, bytes.length))
  const result: ToolResult = {
    type: 'result',
    content: [
      { type: 'text', text: `${path} (${mimeType}, ${formatBytes(bytes.length)})` },
      { type: 'image', mimeType, data: bytes.toString('base64') },
    ],
    details: { path, mimeType, bytes: bytes.length },
  }
  return { result, whole: bytes }
}

function describeTooLarge(path: string, bytes: number): string {
  const smaller = `magick ${shellQuote(path)} -resize 1600x1600 smaller.png`
  return `${path} is an image of ${formatBytes(bytes)}; at most ${formatBytes(maxBytes)} can be shown. Make it smaller, for example with bash: ${smaller}`
}
