// Draws one line of a terminal as SVG: backgrounds, then texts with a position for each kind of glyph.
import type { Look, Run } from './styled-lines.ts'

/** Sizes in units of the picture. */
export const cell = { width: 8.4, height: 18, baseline: 13 }
export const margin = 14
export const colours = { back: '#1c1f26', edge: '#3b4048', text: '#d7dae0', dim: '#8a8f98' }
export const fonts = `font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14"`

/**
 * Returns the elements of a line; `y` is its baseline.
 *
 * @param widthOf returns the number of cells of a text
 */
export function drawnLine(runs: readonly Run[], y: number, widthOf: (text: string) => number): string {
  return [...runs.map((run) => backOf(run, y, widthOf)), ...runs.map((run) => textsOf(run, y, widthOf))].join('')
}

export function length(value: number): string {
  return String(Number(value.toFixed(1)))
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function inkOf({ colour, isDim }: Look): string {
  return colour ?? (isDim === true ? colours.dim : colours.text)
}

function backOf({ text, look, at }: Run, y: number, widthOf: (text: string) => number): string {
  const fill = look.isInverse === true ? inkOf(look) : look.backColour
  if (fill === undefined) return ''
  const [x, width] = [margin + at * cell.width, widthOf(text) * cell.width]
  return `<rect x="${length(x)}" y="${length(y - cell.baseline)}" width="${length(width)}" height="${cell.height}" fill="${fill}"/>`
}

/**
 * Glyphs of other fonts have other widths, and renderers treat several spaces differently: each group of ASCII words
 * and each other character has its own position.
 */
function textsOf({ text, look, at }: Run, y: number, widthOf: (text: string) => number): string {
  const attributes = attributesOf(look)
  let column = at
  return (text.match(/[!-~]+(?: [!-~]+)*|(.)\1*/gu) ?? [])
    .map((part) => {
      const [x, width] = [margin + column * cell.width, widthOf(part) * cell.width]
      column += widthOf(part)
      if (part.trim() === '') return ''
      return `<text x="${length(x)}" y="${length(y)}" textLength="${length(width)}"${attributes}>${escaped(part)}</text>`
    })
    .join('')
}

function attributesOf(look: Look): string {
  const ink = look.isInverse === true ? (look.backColour ?? colours.back) : inkOf(look)
  return [
    ink === colours.text ? '' : ` fill="${ink}"`,
    look.isBold === true ? ' font-weight="bold"' : '',
    look.isItalic === true ? ' font-style="italic"' : '',
    look.isUnderlined === true ? ' text-decoration="underline"' : '',
  ].join('')
}
