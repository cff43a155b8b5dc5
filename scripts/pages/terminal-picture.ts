// Draws a terminal's text with colours (the output of `tmux capture-pane -e`) as an SVG picture.

interface Look {
  readonly colour?: string
  readonly isBold?: boolean
  readonly isDim?: boolean
  readonly isItalic?: boolean
  readonly isInverse?: boolean
  readonly isUnderlined?: boolean
}

interface Run {
  readonly text: string
  readonly look: Look
  /** Number of cells before it. */
  readonly at: number
}

const cell = { width: 8.4, height: 18 }
const margin = 14
const colours = { back: '#1c1f26', text: '#d7dae0', dim: '#8a8f98' }
const sixteen = ['#3b4048', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d7dae0']
const bright = ['#6b7078', '#ff7b86', '#b5e890', '#ffd68a', '#7cc4ff', '#e29bf5', '#6fd3e0', '#ffffff']

/** @param widthOf returns the number of cells of a text */
export function terminalPicture(painted: string, widthOf: (text: string) => number): string {
  const lines = painted.replace(/\s+$/, '').split('\n')
  let look: Look = {}
  const drawn = lines.map((line) => {
    const { runs, last } = runsOf(line, look, widthOf)
    look = last
    return runs
  })
  const columns = Math.max(...drawn.map((runs) => Math.max(0, ...runs.map(({ at, text }) => at + widthOf(text)))))
  const [width, height] = [columns * cell.width + 2 * margin, lines.length * cell.height + 2 * margin]
  const texts = drawn.flatMap((runs, row) => runs.map((run) => textOf(run, row, widthOf)))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height.toFixed(0)}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    `<rect width="100%" height="100%" rx="8" fill="${colours.back}"/>`,
    ...texts,
    '</svg>\n',
  ].join('\n')
}

function runsOf(line: string, before: Look, widthOf: (text: string) => number): { runs: Run[]; last: Look } {
  const runs: Run[] = []
  let look = before
  let at = 0
  for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
    const [, codes] = /^\u001b\[([\d;]*)m$/.exec(part) ?? []
    if (codes !== undefined) look = changed(look, codes.split(';').map(Number))
    else if (part !== '') {
      if (part.trim() !== '' || look.isInverse === true) runs.push({ text: part, look, at })
      at += widthOf(part)
    }
  }
  return { runs, last: look }
}

function changed(before: Look, codes: readonly number[]): Look {
  let look = before
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0
    if (code === 38 && codes[index + 1] === 5) {
      look = { ...look, colour: indexed(codes[index + 2] ?? 7) }
      index += 2
    } else look = after(look, code)
  }
  return look
}

function after(look: Look, code: number): Look {
  const { colour, ...plain } = look
  if (code === 0) return {}
  if (code === 1) return { ...look, isBold: true }
  if (code === 2) return { ...look, isDim: true }
  if (code === 3) return { ...look, isItalic: true }
  if (code === 4) return { ...look, isUnderlined: true }
  if (code === 7) return { ...look, isInverse: true }
  if (code === 22) return { ...look, isBold: false, isDim: false }
  if (code === 23) return { ...look, isItalic: false }
  if (code === 24) return { ...look, isUnderlined: false }
  if (code === 27) return { ...look, isInverse: false }
  if (code === 39) return plain
  if (code >= 30 && code <= 37) return { ...look, colour: sixteen[code - 30] ?? colours.text }
  if (code >= 90 && code <= 97) return { ...look, colour: bright[code - 90] ?? colours.text }
  return look
}

/** Returns one of the 256 colours: 16 of the palette, a cube of 6 × 6 × 6, 24 greys. */
function indexed(index: number): string {
  if (index < 8) return sixteen[index] ?? colours.text
  if (index < 16) return bright[index - 8] ?? colours.text
  const levels = [0, 95, 135, 175, 215, 255]
  const cube = index - 16
  const grey = 8 + (index - 232) * 10
  const parts =
    index >= 232
      ? [grey, grey, grey]
      : [levels[Math.floor(cube / 36)] ?? 0, levels[Math.floor(cube / 6) % 6] ?? 0, levels[cube % 6] ?? 0]
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function textOf({ text, look, at }: Run, row: number, widthOf: (text: string) => number): string {
  const [x, y] = [margin + at * cell.width, margin + row * cell.height]
  const width = widthOf(text) * cell.width
  const ink = look.colour ?? (look.isDim === true ? colours.dim : colours.text)
  const attributes = [
    `fill="${look.isInverse === true ? colours.back : ink}"`,
    look.isBold === true ? 'font-weight="bold"' : '',
    look.isItalic === true ? 'font-style="italic"' : '',
    look.isUnderlined === true ? 'text-decoration="underline"' : '',
  ].filter((attribute) => attribute !== '')
  const place = `x="${x.toFixed(1)}" y="${(y + 13).toFixed(1)}" textLength="${width.toFixed(1)}" xml:space="preserve"`
  const back =
    look.isInverse === true
      ? `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${cell.height}" fill="${ink}"/>\n`
      : ''
  return `${back}<text ${place} ${attributes.join(' ')}>${escaped(text)}</text>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
