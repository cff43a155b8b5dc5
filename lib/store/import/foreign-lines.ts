// Splits a session file into lines with split2.
// Guarantees: memory holds at most the limit of one line; the rest of it is skipped.
import split2 from 'split2'

export interface ForeignLine {
  /** Counted from 1. */
  readonly number: number
  /** Without line feed; absent if the line exceeds the limit. Bytes that are not UTF-8 are U+FFFD. */
  readonly text?: string
}

/** UTF-16 units of the longest line that is read: a message with a few dozen full-size images. */
export const foreignLineLimit = 64 * 1024 * 1024

const lineFeed = 10

/**
 * The lines of pieces of bytes, in order; non-empty text after the last line feed is a last line. Only a line feed ends
 * a line. The limit is checked between pieces. Yields undefined after a piece in which no line ends, so that the caller
 * can let others run.
 */
export function* foreignLines(
  pieces: Iterable<Uint8Array>,
  limit = foreignLineLimit,
): Generator<ForeignLine | undefined, void> {
  const splitter = lineSplitter(limit)
  let number = 0
  let last = lineFeed
  for (const piece of pieces) {
    const lines = splitter.lines(piece)
    for (const text of lines) yield toForeignLine(++number, text)
    if (lines.length === 0) yield undefined
    last = piece.at(-1) ?? last
  }
  if (last !== lineFeed) for (const text of splitter.lines(Uint8Array.of(lineFeed))) yield toForeignLine(++number, text)
}

/** True if the line holds only white space. */
export function isBlank(text: string): boolean {
  return !/[^ \t-\r]/.test(text)
}

/** Without a byte order mark: some editors write one, and joined files have one in the middle. */
function toForeignLine(number: number, text: string | undefined): ForeignLine {
  return text === undefined ? { number } : { number, text: text.startsWith('\uFEFF') ? text.slice(1) : text }
}

/** `lines` returns the lines that end in the piece; undefined for one that exceeds the limit. */
function lineSplitter(limit: number): { lines(piece: Uint8Array): (string | undefined)[] } {
  let found: (string | undefined)[] = []
  // split2 calls its mapper within write(); as it returns nothing, no line waits in the stream's buffer
  const onLine = (text: string): void => {
    found.push(text)
  }
  const options: split2.Options & { skipOverflow: boolean } = { maxLength: limit, skipOverflow: true }
  const splitter = split2('\n', onLine, options)
  return {
    lines: (piece) => {
      found = []
      splitter.write(piece)
      // split2 drops a line that exceeds the limit; it began before this piece, so it is the first that ends here
      return found.length < lineFeedsIn(piece) ? [undefined, ...found] : found
    },
  }
}

function lineFeedsIn(piece: Uint8Array): number {
  let count = 0
  for (let at = piece.indexOf(lineFeed); at !== -1; at = piece.indexOf(lineFeed, at + 1)) count += 1
  return count
}
