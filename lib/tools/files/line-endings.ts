// Text is matched with `\n` alone, while every place of it can be traced back to the text as it stands in the file.

export interface PlainLines {
  /** The text with each `\r\n` as `\n`; a lone `\r` stays. */
  readonly text: string
  /** Where in the original a place of `text` is: before the `\r` of a line's end. */
  toOriginal(index: number): number
  /** How the line at this place ends in the original; the last line ends as the one before it, a single line with `\n`. */
  endingAt(index: number): '\n' | '\r\n'
}

export function plainLines(original: string): PlainLines {
  const text = original.replaceAll('\r\n', '\n')
  const shortened = text.length === original.length ? [] : positionsOfShortened(original)
  const before = (index: number): number => countBelow(shortened, index)
  return {
    text,
    toOriginal: (index) => index + before(index),
    endingAt: (index) => {
      const next = text.indexOf('\n', index)
      const newline = next === -1 ? text.lastIndexOf('\n', index) : next
      return newline !== -1 && shortened[before(newline)] === newline ? '\r\n' : '\n'
    },
  }
}

/** Places in the plain text, rising, of the `\n` that were `\r\n`. */
function positionsOfShortened(original: string): readonly number[] {
  const positions: number[] = []
  for (let index = original.indexOf('\r\n'); index !== -1; index = original.indexOf('\r\n', index + 2)) {
    positions.push(index - positions.length)
  }
  return positions
}

/** How many of the rising numbers are below a limit. */
function countBelow(rising: readonly number[], limit: number): number {
  let low = 0
  let high = rising.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rising[middle] ?? Infinity) < limit) low = middle + 1
    else high = middle
  }
  return low
}
