// The conversation is written past Ink, into the terminal's own scrollback: a line that has not changed is not written again.
import { layOut } from './screen-layout.ts'
import type { Screen } from './screen-layout.ts'
import type { View } from '../view/view.ts'
import { itemLines } from '../transcript/item-lines.ts'
import { liveLines } from '../transcript/live-lines.ts'

export interface TranscriptScreen extends Screen {
  /** Rows of the frame below. What is live has the rest of the screen at most: what has scrolled away cannot be changed. */
  readonly frame: number
}

export interface TranscriptWriter {
  /** Writes what is new, and what has changed of what is live. Long histories come in pieces, between which keys are heard. */
  show(screen: TranscriptScreen): void
  /** Nothing more is written. */
  end(): void
}

export interface TranscriptPorts {
  /** The view as it is now. */
  view(): View
  /** Erases the frame, writes where it began, and draws it again below that: that of Ink's `useStdout`. */
  write(text: string): void
}

/** Items that are laid out together. */
const most = 40

/** What is visible is erased; the scrollback stays. */
const eraseScreen = '\u001b[2J\u001b[H'

/**
 * Ink lays out, measures and cuts into cells all that it draws, 5 ms a frame of an answer; the lines that are new are found
 * and written in 1 (`npm run bench -- ui`). Ink keeps the frame below them: the editor, what is open, the status.
 */
export function transcriptWriter({ view: viewNow, write }: TranscriptPorts): TranscriptWriter {
  let { generation, session } = viewNow()
  let written = 0
  /** What stands directly above the frame and may still change. */
  let standing: readonly string[] = []
  let columns = 0
  let timer: NodeJS.Immediate | undefined

  /** What an erased screen begins with; nothing where it was not. */
  function begun(view: View): string {
    const [isAnew, isOther] = [view.generation !== generation, view.session?.id !== session?.id]
    ;({ generation, session } = view)
    if (isAnew) written = 0
    if (!isAnew || isOther) return ''
    standing = []
    return eraseScreen
  }

  function step(screen: TranscriptScreen): void {
    timer = undefined
    const view = viewNow()
    if (view.isLent) {
      standing = [] // whoever has the terminal writes below it
      return
    }
    const erase = begun(view)
    // a terminal that has become narrower has broken the lines; they are erased when it has settled
    if (standing.length > 0 && screen.columns !== columns) return
    columns = screen.columns
    const { options, room } = layOut(view, screen)
    const { finished, finishedCount } = view
    const from = Math.max(0, finished.length - (finishedCount - written))
    const batch = finished.slice(from, from + most)
    const left = finished.length - from - batch.length
    const lines = batch.flatMap((item) => itemLines(item, options))
    const rows = Math.max(2, Math.min(room, screen.rows - screen.frame - 1))
    const live = left > 0 || screen.isRead ? [] : liveLines(view.live, options, rows)
    const text = erase + change(standing, [...lines, ...live])
    if (text !== '') write(text)
    standing = live
    written = finishedCount - left
    if (left > 0) timer = setImmediate(step, screen)
  }

  return {
    show: (screen) => {
      clearImmediate(timer)
      step(screen)
    },
    end: () => {
      clearImmediate(timer)
    },
  }
}

/** What turns the lines above the cursor into others, from the first that differs on. What has scrolled away stays as it is. */
function change(standing: readonly string[], next: readonly string[]): string {
  const differs = next.findIndex((line, index) => line !== standing[index])
  const same = differs === -1 ? Math.min(standing.length, next.length) : differs
  const above = standing.length - same
  const erase = above === 0 ? '' : `\u001b[${above}A\r\u001b[J`
  const lines = next.slice(same).map((line) => `${line.trimEnd()}\n`)
  return erase + lines.join('')
}
