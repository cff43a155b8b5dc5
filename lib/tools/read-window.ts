// Of a file of any size only the lines that are wanted are kept; what comes before is passed over, what comes after is not read.
import type { FileHandle } from 'node:fs/promises'

export interface WindowLimits {
  /** First line, from 1. */
  readonly offset: number
  readonly maxLines: number
  /** Reading stops soon after so many bytes, also within a line. */
  readonly maxBytes: number
}

export interface FileWindow {
  /** From the beginning of line `offset`: whole lines, unless `maxBytes` stopped it or the file ended. */
  readonly bytes: Buffer
  /** Where in the file they begin. */
  readonly start: number
  /** True where nothing comes after them. */
  readonly atEnd: boolean
  /** Lines that were seen from the beginning of the file to the end of `bytes`: all that it has where `atEnd`. */
  readonly seenLines: number
}

const chunkBytes = 65_536
const newline = 10

/** Reads from the position 0 of a file of any kind that can be read from a position. Throws when the signal aborts. */
export async function readWindow(handle: FileHandle, limits: WindowLimits, signal: AbortSignal): Promise<FileWindow> {
  const kept: Buffer[] = []
  let position = 0
  let start = 0
  let seen = 0
  let keptBytes = 0
  let endsWithNewline = true
  for (;;) {
    signal.throwIfAborted()
    const chunk = await readChunk(handle, position)
    if (chunk.length === 0) {
      return { bytes: Buffer.concat(kept), start, atEnd: true, seenLines: endsWithNewline ? seen : seen + 1 }
    }
    const skipped = skipLines(chunk, limits.offset - 1 - seen)
    seen += skipped.lines
    start += kept.length === 0 ? skipped.bytes : 0
    const rest = chunk.subarray(skipped.bytes)
    const taken = skipLines(rest, limits.offset - 1 + limits.maxLines - seen)
    if (taken.bytes > 0) kept.push(rest.subarray(0, taken.bytes))
    seen += taken.lines
    keptBytes += taken.bytes
    endsWithNewline = chunk.at(-1) === newline
    position += chunk.length
    const isFull = seen >= limits.offset - 1 + limits.maxLines || keptBytes > limits.maxBytes
    if (!isFull) continue
    const atEnd = taken.bytes === rest.length && (await readChunk(handle, position, 1)).length === 0
    return { bytes: Buffer.concat(kept), start, atEnd, seenLines: atEnd && !endsWithNewline ? seen + 1 : seen }
  }
}

/** Bytes and lines up to the end of the `count`-th line of a piece, or all of it where it has fewer. */
function skipLines(piece: Buffer, count: number): { readonly bytes: number; readonly lines: number } {
  let bytes = 0
  let lines = 0
  while (lines < count) {
    const end = piece.indexOf(newline, bytes)
    if (end === -1) return { bytes: piece.length, lines }
    bytes = end + 1
    lines += 1
  }
  return { bytes, lines }
}

async function readChunk(handle: FileHandle, position: number, length = chunkBytes): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
