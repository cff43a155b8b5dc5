// When the next read of an answer is worth a wait: where pieces come quicker than anybody sees, waking for each is most of what it costs.

export interface Read {
  /** Milliseconds of a clock that does not jump. */
  readonly at: number
  /** How many pieces came with it, and of how many bytes. */
  readonly pieces: number
  readonly bytes: number
}

export interface QuickReads {
  /** Told of each read of one answer; whether the next is to wait for `gatherMs`. */
  next(read: Read): boolean
}

/** Milliseconds in which pieces gather. */
export const gatherMs = 5
/** Reads that come within so many milliseconds of the one before … */
const quickMs = 3
/** … and so many of them in a row, are a quick stream. */
const quickReadsInRow = 2
/** What fills buffers by itself is read at once. */
const fullBytes = 16_384

/**
 * For one answer. What comes first never waits, nor what follows a pause. While pieces gather the stream counts as quick as long
 * as more than one of them is there: slower than that, it is read as it comes.
 *
 * A bare program that parses and prints a piece a millisecond takes 24 µs of CPU for each this way, 42 µs where it is woken for each
 * (Node 24, two shared cores, load 29; `npm run bench -- server` has the whole agent's).
 */
export function quickReads(): QuickReads {
  let last = -Infinity
  let inRow = 0
  let gathers = false
  return {
    next: ({ at, pieces, bytes }) => {
      const isQuick = gathers ? pieces > 1 : at - last < quickMs
      last = at
      inRow = isQuick ? inRow + 1 : 0
      gathers = inRow >= quickReadsInRow && bytes < fullBytes
      return gathers
    },
  }
}
