// Cuts a line of a surface to a width, keeps its colours, and finds the cursor marker in it.
import { cursorMarker, surfaceLine } from '../../../lib/streams/surfaces/surface-line.ts'
import { graphemes } from '../text/cell-width.ts'
import { graphemeWidth } from '../text/grapheme-width.ts'

export interface CutLine {
  readonly text: string
  /** The cell of the cursor marker, from 0. */
  readonly cursor?: number
}

const marks = /\u001b\[[0-9;:]*m|\u001b_pi:c\u0007/g

/** The line is made safe again (docs/design/security.md#S19): a server that the UI did not start may send anything. */
export function cutSurfaceLine(line: string, columns: number): CutLine {
  const safe = surfaceLine(line)
  let [text, width, from] = ['', 0, 0]
  let cursor: number | undefined
  const add = (piece: string): void => {
    for (const grapheme of graphemes(piece)) {
      const cells = graphemeWidth(grapheme)
      if (width + cells > columns) {
        width = columns // nothing narrower follows behind a wide character
        return
      }
      text += grapheme
      width += cells
    }
  }
  for (const { 0: mark, index } of safe.matchAll(marks)) {
    add(safe.slice(from, index))
    from = index + mark.length
    if (mark === cursorMarker) cursor = Math.min(width, columns - 1)
    else text += mark
  }
  add(safe.slice(from))
  return { text, ...(cursor !== undefined && { cursor }) }
}
