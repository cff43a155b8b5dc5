// Reads a file line by line in pieces of 64 KiB.
// Guarantees: memory holds one piece and the current line, whatever the file's size.

export interface RawLine {
  /** Without line feed. Valid until the next line is requested. */
  readonly bytes: Buffer
  /** Offset of its start in the file, in bytes. */
  readonly offset: number
  /** False only for text after the file's last line feed. */
  readonly ended: boolean
}

export interface LineSource {
  /** Reads up to `length` bytes at `position` into `buffer`; returns 0 at the end of the file. */
  read(buffer: Buffer, length: number, position: number): number
  /** Offset to start at, in bytes: the start of a line. */
  readonly from: number
  /** Offset to stop at; evaluated before each read, so that lines appended meanwhile are read too. */
  end(): number
}

const pieceLength = 64 * 1024
const lineFeed = 10

/** The lines from `from` on, in order. Text without a final line feed is a last line that has not `ended`. */
export function* readLines(source: LineSource): Generator<RawLine, void> {
  const piece = Buffer.allocUnsafe(Math.min(pieceLength, Math.max(source.end() - source.from, 1024)))
  const earlierPieces: Buffer[] = [] // copies of the earlier pieces of the current line
  let position = source.from
  let offset = source.from
  while (position < source.end()) {
    const length = source.read(piece, Math.min(piece.length, source.end() - position), position)
    if (length === 0) break
    position += length
    const filled = piece.subarray(0, length)
    let start = 0
    for (let end = filled.indexOf(lineFeed); end !== -1; end = filled.indexOf(lineFeed, start)) {
      yield { bytes: joinPieces(earlierPieces, filled.subarray(start, end)), offset, ended: true }
      start = end + 1
      offset = position - length + start
    }
    if (start < length) earlierPieces.push(Buffer.from(filled.subarray(start)))
  }
  if (earlierPieces.length > 0) yield { bytes: joinPieces(earlierPieces, Buffer.alloc(0)), offset, ended: false }
}

/** Empties `begun` and returns its content with the last piece. */
function joinPieces(begun: Buffer[], last: Buffer): Buffer {
  if (begun.length === 0) return last
  const bytes = Buffer.concat([...begun, last])
  begun.length = 0
  return bytes
}

/** After a crash a file may end in NULs: it had grown, but its bytes were not written. */
export function withoutTrailingNuls(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  return bytes.subarray(0, end)
}
