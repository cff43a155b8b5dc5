// Where numbered lines begin, remembered once in 64 KiB of log, so that reading from any number on costs one read more at most.

export interface IndexedLine {
  readonly seq: number
  /** Where the line begins in the file, in bytes. */
  readonly offset: number
  /** The line's number in the file, from 1. */
  readonly line: number
}

export interface LineIndex {
  /** The remembered lines, in order. */
  readonly lines: readonly IndexedLine[]
  /** Tells of a numbered line; in order. */
  add(line: IndexedLine): void
  /** The last remembered line whose number is at most `seq`; `undefined` where there is none. */
  atMost(seq: number): IndexedLine | undefined
  /** Takes in what another index remembers of the lines before the first of this one. */
  precede(earlier: LineIndex): void
}

const spacing = 64 * 1024

export function createLineIndex(): LineIndex {
  const lines: IndexedLine[] = []
  return {
    lines,
    precede(earlier) {
      const first = lines[0]?.seq ?? Infinity
      lines.unshift(...earlier.lines.filter(({ seq }) => seq < first))
    },
    add(line) {
      const last = lines.at(-1)
      if (last === undefined || line.offset - last.offset >= spacing) lines.push(line)
    },
    atMost(seq) {
      let low = 0
      let high = lines.length
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((lines[middle]?.seq ?? Infinity) <= seq) low = middle + 1
        else high = middle
      }
      return lines[low - 1]
    },
  }
}
