// Holds the end of a growing text in pieces: drops old pieces, and copies only on reading.
import { lastUnits } from '../../streams/values/truncate.ts'

export interface TextTail {
  /** Appends; at least the last `maxUnits` UTF-16 units stay. */
  add(text: string): void
  /** All text in memory: everything until more than twice `maxUnits` arrived, at least `maxUnits` after that. */
  all(): string
  /** The last `maxUnits` units, one less if that would split a surrogate pair. */
  last(): string
  clear(): void
  readonly isEmpty: boolean
}

export function textTail(maxUnits: number): TextTail {
  let pieces: string[] = []
  let units = 0
  return {
    add: (text) => {
      pieces.push(text)
      units += text.length
      if (units > 2 * maxUnits) dropFirst()
      // many small pieces are joined now and then, so that dropping them stays cheap
      if (pieces.length > 1000) pieces = [pieces.join('')]
    },
    all: () => pieces.join(''),
    last: () => lastUnits(pieces.join(''), maxUnits),
    clear: () => {
      pieces = []
      units = 0
    },
    get isEmpty() {
      return units === 0
    },
  }

  function dropFirst(): void {
    let count = 0
    for (const { length } of pieces) {
      if (units - length < maxUnits) break
      units -= length
      count += 1
    }
    pieces.splice(0, count)
  }
}
