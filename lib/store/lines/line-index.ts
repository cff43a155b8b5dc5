// Remembers one numbered line per 64 KiB of log.
// Guarantees: reading from any number costs at most one extra read.

export interface IndexedLine {
  readonly seq: number
  /** Offset of the line in the file, in bytes. */
  readonly offset: number
  /** Line number in the file, from 1. */
  readonly line: number
}

export interface LineIndex {
  /** The remembered lines, in order. */
  readonly lines: readonly IndexedLine[]
  /** Adds a numbered line; call in order. */
  add(line: IndexedLine): void
  /** The last remembered line whose number is at most `seq`; `undefined` if there is none. */
  atMost(seq: number): IndexedLine | undefined
  /** Adds the lines of another index that precede the first line of this one. */
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
