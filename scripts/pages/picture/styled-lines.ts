// Splits a terminal's text with colours (`tmux capture-pane -e`) into runs of one look.

export interface Look {
  readonly colour?: string
  readonly backColour?: string
  readonly isBold?: boolean
  readonly isDim?: boolean
  readonly isItalic?: boolean
  readonly isInverse?: boolean
  readonly isUnderlined?: boolean
}

export interface Run {
  readonly text: string
  readonly look: Look
  /** Number of cells before it. */
  readonly at: number
}

const sixteen = ['#3b4048', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d7dae0']
const bright = ['#6b7078', '#ff7b86', '#b5e890', '#ffd68a', '#7cc4ff', '#e29bf5', '#6fd3e0', '#ffffff']

/**
 * Returns the runs of each line. A look goes on in the next line. Runs of spaces are left out if nothing of them shows.
 *
 * @param widthOf returns the number of cells of a text
 */
export function styledLines(painted: string, widthOf: (text: string) => number): Run[][] {
  let look: Look = {}
  return painted.split('\n').map((line) => {
    const { runs, last } = runsOf(line, look, widthOf)
    look = last
    return runs
  })
}

function runsOf(line: string, before: Look, widthOf: (text: string) => number): { runs: Run[]; last: Look } {
  const runs: Run[] = []
  let look = before
  let at = 0
  for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
    const [, codes] = /^\u001b\[([\d;]*)m$/.exec(part) ?? []
    if (codes !== undefined) look = changed(look, codes.split(';').map(Number))
    else if (part !== '') {
      if (part.trim() !== '' || look.isInverse === true || look.backColour !== undefined)
        runs.push({ text: part, look, at })
      at += widthOf(part)
    }
  }
  return { runs, last: look }
}

function changed(before: Look, codes: readonly number[]): Look {
  let look = before
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0
    if ((code === 38 || code === 48) && codes[index + 1] === 5) {
      const colour = indexed(codes[index + 2] ?? 7)
      look = code === 38 ? { ...look, colour } : { ...look, backColour: colour }
      index += 2
    } else look = after(look, code)
  }
  return look
}

function after(look: Look, code: number): Look {
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
  return withColour(look, code)
}

function withColour(look: Look, code: number): Look {
  const { colour, backColour, ...plain } = look
  const back = backColour === undefined ? {} : { backColour }
  if (code === 39) return { ...plain, ...back }
  if (code === 49) return colour === undefined ? plain : { ...plain, colour }
  const [table, kind] = [code % 10, Math.floor(code / 10)]
  if (table > 7) return look
  if (kind === 3 || kind === 9) return { ...look, colour: indexed(kind === 3 ? table : table + 8) }
  if (kind === 4 || kind === 10) return { ...look, backColour: indexed(kind === 4 ? table : table + 8) }
  return look
}

/** Returns one of the 256 colours: 16 of the palette, a cube of 6 × 6 × 6, 24 greys. */
function indexed(index: number): string {
  const named = index < 8 ? sixteen[index] : bright[index - 8]
  if (named !== undefined) return named
  const levels = [0, 95, 135, 175, 215, 255]
  const cube = index - 16
  const grey = 8 + (index - 232) * 10
  const parts =
    index >= 232
      ? [grey, grey, grey]
      : [levels[Math.floor(cube / 36)] ?? 0, levels[Math.floor(cube / 6) % 6] ?? 0, levels[cube % 6] ?? 0]
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
