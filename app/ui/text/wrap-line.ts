// Wraps a line between words, or inside a word that is too long; loses no text.
import { cellWidth, cutToWidth, graphemes } from './cell-width.ts'
import { graphemeWidth } from './grapheme-width.ts'
import type { Line, Span } from './span.ts'

export interface WrapOptions {
  /** Cells. */
  readonly columns: number
  /** Prefix of the first line and of the others. Default: none. */
  readonly first?: Line
  readonly rest?: Line
}

/** Returns lines of at most `columns` cells, at least one. Drops spaces at a break. */
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

/** Cuts the line to a number of cells; `…` marks the cut. */
export function cutLine(line: Line, columns: number): Line {
  let room = columns
  const shown: Span[] = []
  for (const { text, roles } of line) {
    const width = cellWidth(text)
    if (width > room) return [...shown, { text: cutToWidth(`${text} `, room), roles }]
    shown.push({ text, roles })
    room -= width
  }
  return shown
}

interface Word {
  readonly word: string
  readonly cells: number
  readonly parts: readonly Span[]
}

/** Runs of spaces, and runs of other characters across spans; each wide character is a word. */
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
