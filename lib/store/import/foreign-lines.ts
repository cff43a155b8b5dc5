// Splits a foreign file into lines.
// Guarantees: memory holds at most the limit of one line; the rest of it is skipped.

export interface ForeignLine {
  /** Counted from 1. */
  readonly number: number
  /** Without line feed; absent if the line exceeds the limit. Valid until the next line is requested. */
  readonly bytes?: Buffer
}

/** UTF-8 bytes of the longest line that is read: a message with a few dozen full-size images. */
export const foreignLineLimit = 64 * 1024 * 1024

const lineFeed = 10

/** The lines of pieces of bytes, in order; non-empty text after the last line feed is a last line. */
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

/** True if the line holds only white space. */
export function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 32 || (byte >= 9 && byte <= 13))
}

interface HeldLine {
  add(piece: Uint8Array): void
  /** Returns the text since the last call; nothing if it exceeded the limit. */
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
      else if (piece.length > 0) parts.push(Buffer.from(piece)) // a copy: the piece's memory may be reused
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
