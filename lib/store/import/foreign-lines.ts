// A file from elsewhere is read in pieces, and no line of it makes the reader hold more than the limit: the rest is skipped.

export interface ForeignLine {
  /** From 1. */
  readonly number: number
  /** Without its line feed; absent where the line is longer than the limit. Valid until the next line is asked for. */
  readonly bytes?: Buffer
}

/** UTF-8 bytes of one line that is still read: a message with a few dozen full-size images. */
export const foreignLineLimit = 64 * 1024 * 1024

const lineFeed = 10

/** The lines of pieces of bytes, in order; what follows the last line feed is a last line unless it is empty. */
export function* foreignLines(pieces: Iterable<Uint8Array>, limit = foreignLineLimit): Generator<ForeignLine, void> {
  const line = heldLine(limit)
  let number = 1
  for (const piece of pieces) {
    let from = 0
    for (let end = piece.indexOf(lineFeed); end !== -1; end = piece.indexOf(lineFeed, from)) {
      line.add(piece.subarray(from, end))
      yield { number, ...line.take() }
      number += 1
      from = end + 1
    }
    line.add(piece.subarray(from))
  }
  if (!line.isEmpty()) yield { number, ...line.take() }
}

/** True where nothing stands in the line but spaces. */
export function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 32 || (byte >= 9 && byte <= 13))
}

interface HeldLine {
  add(piece: Uint8Array): void
  /** What was added since the last time; nothing where it was too much. */
  take(): { readonly bytes?: Buffer }
  isEmpty(): boolean
}

function heldLine(limit: number): HeldLine {
  let parts: Buffer[] = []
  let length = 0
  return {
    add: (piece) => {
      length += piece.length
      if (length > limit) parts = []
      else if (piece.length > 0) parts.push(Buffer.from(piece)) // a copy: the piece's memory may be used again
    },
    take: () => {
      const taken = length > limit ? {} : { bytes: Buffer.concat(parts) }
      parts = []
      length = 0
      return taken
    },
    isEmpty: () => length === 0,
  }
}
