// Reads a range of lines of a file of any size.
// Skips what comes before, and does not read what comes after.
import { constants, open, read, readFile } from 'node:fs'
import type { ToolResult } from '../../streams/ports/tool.ts'

export interface WindowFile {
  readonly descriptor: number
  /** Size in bytes reported by the system: 0 for generated files. Content appended meanwhile is not read. */
  readonly size: number
  /** Its first chunk. */
  readonly first: Buffer
}

export interface OpenFile extends WindowFile {
  /** Absolute. */
  readonly path: string
  /** True: `first` is all of it, and there is nothing to read. Default false. */
  readonly isInMemory?: boolean
}

/** A result, and the file's content if all of it was read. */
export interface ReadContent {
  readonly result: ToolResult
  readonly whole: Buffer | undefined
}

export interface WindowLimits {
  /** First line, from 1. */
  readonly offset: number
  readonly maxLines: number
  /** Reading stops soon after this number of bytes, also inside a line. */
  readonly maxBytes: number
}

export interface FileWindow {
  /** From the beginning of line `offset`: whole lines, unless `maxBytes` stopped it or the file ended. */
  readonly bytes: Buffer
  /** Their offset in the file. */
  readonly start: number
  /** True if nothing follows them. */
  readonly atEnd: boolean
  /** Lines from the beginning of the file to the end of `bytes`: the whole file's if `atEnd`. */
  readonly lineCount: number
}

const newline = 10

/** Reads from position 0 of a file that supports positions. Throws when the signal aborts. */
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
    const chunk = position === 0 ? first : await readChunk(descriptor, position, nextChunk(position))
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

/** Bytes and lines up to the end of the `count`-th line of a piece, or all of it if it has fewer. */
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

// One system read is one chunk: the requested length, or what is available.

const chunkBytes = 65_536
const maxChunkBytes = 2 ** 20

/** As much as was read before: a range far from the beginning of a file costs few reads. */
function nextChunk(position: number): number {
  return Math.min(Math.max(position, chunkBytes), maxChunkBytes)
}

/**
 * Up to `length` bytes (default 64 KiB) of an open file at a position; empty at its end. Rejects with the system's
 * error.
 */
export function readChunk(descriptor: number, position: number, length = chunkBytes): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    read(descriptor, Buffer.allocUnsafe(length), 0, length, position, (error, bytesRead, buffer) => {
      if (error === null) resolve(buffer.subarray(0, bytesRead))
      else reject(error)
    })
  })
}

/** From the first byte: other reads are at explicit positions. */
export function wholeFile(
  { descriptor, first, isInMemory = false }: Pick<OpenFile, 'descriptor' | 'first' | 'isInMemory'>,
  signal: AbortSignal,
): Promise<Buffer> {
  if (isInMemory) return Promise.resolve(first)
  return wholeContent(descriptor, signal)
}

/** All of an open file, from its first byte. */
export function wholeContent(descriptor: number, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    readFile(descriptor, { signal }, (error, bytes) => {
      if (error === null) resolve(bytes)
      else reject(error)
    })
  })
}

/** Opens a file to read it. Without O_NONBLOCK, opening a pipe would wait for a writer. */
export function openPath(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY, (error, descriptor) => {
      if (error === null) resolve(descriptor)
      else reject(error)
    })
  })
}

/** The number of bytes that became the first `units` of the text; a byte that is not UTF-8 became a character of three. */
export function bytesOfUnits(bytes: Buffer, units: number): number {
  let [low, high] = [0, bytes.length]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (bytes.toString('utf8', 0, middle).length <= units) low = middle
    else high = middle - 1
  }
  return low
}
