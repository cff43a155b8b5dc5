// A file is read in pieces of 64 KiB; memory holds one piece and the line that is being put together, however long the file is.

export interface RawLine {
  /** Without its line feed. Valid until the next line is asked for. */
  readonly bytes: Buffer
  /** Where it begins in the file, in bytes. */
  readonly offset: number
  /** False only for what stands after the file's last line feed. */
  readonly ended: boolean
}

export interface LineSource {
  /** Reads up to `length` bytes at `position` into `buffer`; 0 at the end of the file. */
  read(buffer: Buffer, length: number, position: number): number
  /** Where to begin, in bytes: the start of a line. */
  readonly from: number
  /** Where to stop; asked again before each read, so that lines appended meanwhile are read too. */
  end(): number
}

const pieceLength = 64 * 1024
const lineFeed = 10

/** The lines from `from` on, in order. An end without line feed is a last line that has not `ended`. */
export function* readLines(source: LineSource): Generator<RawLine, void> {
  const piece = Buffer.allocUnsafe(Math.min(pieceLength, Math.max(source.end() - source.from, 1024)))
  const begun: Buffer[] = [] // copies of what came before of the line that is being put together
  let position = source.from
  let offset = source.from
  while (position < source.end()) {
    const length = source.read(piece, Math.min(piece.length, source.end() - position), position)
    if (length === 0) break
    position += length
    const filled = piece.subarray(0, length)
    let start = 0
    for (let end = filled.indexOf(lineFeed); end !== -1; end = filled.indexOf(lineFeed, start)) {
      yield { bytes: joinPieces(begun, filled.subarray(start, end)), offset, ended: true }
      start = end + 1
      offset = position - length + start
    }
    if (start < length) begun.push(Buffer.from(filled.subarray(start)))
  }
  if (begun.length > 0) yield { bytes: joinPieces(begun, Buffer.alloc(0)), offset, ended: false }
}

/** Empties `begun`: what it held is in the answer. */
function joinPieces(begun: Buffer[], last: Buffer): Buffer {
  if (begun.length === 0) return last
  const bytes = Buffer.concat([...begun, last])
  begun.length = 0
  return bytes
}
