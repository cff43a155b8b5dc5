// A line is broken between words where it can be, inside a word where it must be, and no text is lost.
import { cellWidth, graphemes } from './cell-width.ts'
import { graphemeWidth } from './grapheme-width.ts'
import type { Line, Span } from './span.ts'

export interface WrapOptions {
  /** Cells. */
  readonly columns: number
  /** What stands before the first line and before all others. Default: nothing. */
  readonly first?: Line
  readonly rest?: Line
}

/** The line in lines of at most `columns` cells; at least one. Spaces at a break are left out. */
export function wrapLine(line: Line, { columns, first = [], rest = [] }: WrapOptions): Line[] {
  const room = Math.max(1, columns - Math.max(widthOf(first), widthOf(rest)))
  const lines: Span[][] = [[]]
  let width = 0
  const put = (text: string, roles: Span['roles']): void => {
    const current = lines.at(-1)
    const last = current?.at(-1)
    if (last?.roles === roles) current?.splice(-1, 1, { text: last.text + text, roles })
    else current?.push({ text, roles })
  }
  const breakLine = (): void => {
    lines.push([])
    width = 0
  }
  for (const { word, cells, parts } of words(line)) {
    const isSpace = word.trim() === ''
    if (width + cells > room && width > 0) {
      breakLine()
      if (isSpace) continue
    }
    if (cells <= room) {
      for (const { text, roles } of parts) put(text, roles)
      width += cells
      continue
    }
    for (const { text, roles } of parts)
      for (const grapheme of graphemes(text)) {
        const cell = graphemeWidth(grapheme)
        if (width + cell > room && width > 0) breakLine()
        put(grapheme, roles)
        width += cell
      }
  }
  return lines.map((each, index) => [...(index === 0 ? first : rest), ...each])
}

export function widthOf(line: Line): number {
  return line.reduce((sum, { text }) => sum + cellWidth(text), 0)
}

interface Word {
  readonly word: string
  readonly cells: number
  readonly parts: readonly Span[]
}

/** Runs of spaces, and runs of others across the spans; each wide character is a word of its own. */
function words(line: Line): Word[] {
  const found: { word: string; cells: number; parts: Span[] }[] = []
  for (const { text, roles } of line) {
    for (const word of text.match(
      / +|[\u2e80-\u9fff\uac00-\ud7a3\uff00-\uff60]|[^ \u2e80-\u9fff\uac00-\ud7a3\uff00-\uff60]+/g,
    ) ?? []) {
      const last = found.at(-1)
      const joins =
        last !== undefined &&
        /[^ \u2e80-\u9fff\uac00-\ud7a3\uff00-\uff60]$/.test(last.word) &&
        !/^[ \u2e80-\u9fff\uac00-\ud7a3\uff00-\uff60]/.test(word)
      const cells = cellWidth(word)
      if (joins) {
        last.word += word
        last.cells += cells
        last.parts.push({ text: word, roles })
      } else found.push({ word, cells, parts: [{ text: word, roles }] })
    }
  }
  return found
}
