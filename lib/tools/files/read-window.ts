// Of a file of any size only the lines that are wanted are kept; what comes before is passed over, what comes after is not read.
import { read } from 'node:fs'

export interface WindowFile {
  readonly descriptor: number
  /** Bytes, as far as the system says: 0 for what it makes up while it is read. What is appended meanwhile is not waited for. */
  readonly size: number
  /** Its first chunk. */
  readonly first: Buffer
}

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
  readonly lineCount: number
}

const newline = 10

/** Reads from the position 0 of a file of any kind that can be read from a position. Throws when the signal aborts. */
export async function readWindow(
  { descriptor, size, first }: WindowFile,
  limits: WindowLimits,
  signal: AbortSignal,
): Promise<FileWindow> {
  const pieces: Buffer[] = []
  let position = 0
  let start = 0
  let lines = 0
  let byteCount = 0
  let endsWithNewline = true
  for (;;) {
    signal.throwIfAborted()
    const chunk = position === 0 ? first : await readChunk(descriptor, position)
    const skipped = skipLines(chunk, limits.offset - 1 - lines)
    lines += skipped.lines
    start += pieces.length === 0 ? skipped.bytes : 0
    const rest = chunk.subarray(skipped.bytes)
    const taken = skipLines(rest, limits.offset - 1 + limits.maxLines - lines)
    if (taken.bytes > 0) pieces.push(rest.subarray(0, taken.bytes))
    lines += taken.lines
    byteCount += taken.bytes
    if (chunk.length > 0) endsWithNewline = chunk.at(-1) === newline
    position += chunk.length
    const isFull = lines >= limits.offset - 1 + limits.maxLines || byteCount > limits.maxBytes
    const hasEnded = chunk.length === 0 || (size > 0 && position >= size)
    if (!isFull && !hasEnded) continue
    const isWhole = taken.bytes === rest.length
    const atEnd = isWhole && (hasEnded || (await readChunk(descriptor, position, 1)).length === 0)
    return { bytes: Buffer.concat(pieces), start, atEnd, lineCount: atEnd && !endsWithNewline ? lines + 1 : lines }
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

// One read of the system's is one chunk: what is asked for, or what there is.

const chunkBytes = 65_536

/** Up to `length` bytes (default 64 KiB) of an open file from a position on; none where nothing is left. Rejects with the system's error. */
export function readChunk(descriptor: number, position: number, length = chunkBytes): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    read(descriptor, Buffer.allocUnsafe(length), 0, length, position, (error, bytesRead, buffer) => {
      if (error === null) resolve(buffer.subarray(0, bytesRead))
      else reject(error)
    })
  })
}
