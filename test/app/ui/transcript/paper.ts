// Provides a terminal that records the transcript in its scrollback.
// Like Ink, it keeps a frame of `frame` rows below the transcript.

export interface Paper {
  /** Same as `write` of Ink's `useStdout`. */
  write(text: string): void
  /** The lines of the scrollback and the screen, without the frame and the empty lines at the end. */
  lines(): string[]
  /** Height of the frame in rows. */
  frame: number
}

export function paper(rows: number): Paper {
  const all: string[] = []
  let top = 0
  let row = 0
  let frame = 2
  const scroll = (to: number): void => {
    top = Math.max(top, to - rows + 1)
  }
  const obey = (count: number, act: string): void => {
    if (act === 'A') row = Math.max(top, row - count)
    else if (act === 'H') row = top
    else if (act === 'J') all.length = Math.min(all.length, count === 2 ? top : row)
    else throw new Error(`${act} is not known here`)
  }
  return {
    write: (text) => {
      for (const [whole, count = '', act = ''] of text.matchAll(/\u001b\[(\d*)([A-Z])|\n|\r|[^\u001b\n\r]+/g)) {
        if (act !== '') obey(Number(count), act)
        else if (whole === '\n') scroll((row += 1))
        else if (whole !== '\r') {
          while (all.length < row) all.push('')
          all[row] = whole
        }
      }
      scroll(row + frame)
    },
    lines: () => {
      const written = all.slice(0, row)
      while (written.at(-1) === '') written.pop()
      return [...written]
    },
    get frame() {
      return frame
    },
    set frame(next) {
      frame = next
      scroll(row + frame)
    },
  }
}
