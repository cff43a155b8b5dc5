// The end of a growing text in pieces: what falls off is let go of piece by piece, nothing is copied until somebody looks.
import { lastUnits } from '../../streams/values/truncate.ts'

export interface TextTail {
  /** Appends; at least the last `maxUnits` UTF-16 units are kept. */
  add(text: string): void
  /** All that is kept: everything until more than twice `maxUnits` came at once or in all, at least `maxUnits` after that. */
  all(): string
  /** The last `maxUnits` units, one less where that would begin in the middle of a pair. */
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
      // many small pieces become one now and then, so that looking after them stays cheap
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
