// Writes the conversation to the terminal's scrollback, past Ink; rewrites only changed lines.
import { layOut } from './screen-layout.ts'
import type { Screen } from './screen-layout.ts'
import type { View } from '../view/view.ts'
import { itemLines } from '../transcript/item-lines.ts'
import { liveLines } from '../transcript/live-lines.ts'

export interface TranscriptScreen extends Screen {
  /** Rows of the frame below. The live part gets the rest: scrolled lines cannot change. */
  readonly frame: number
}

export interface TranscriptWriter {
  /** Writes new and changed lines. Writes a long history in batches, with keys handled between them. */
  show(screen: TranscriptScreen): void
  /** Stops writing. */
  end(): void
}

export interface TranscriptPorts {
  /** The current view. */
  view(): View
  /** Erases the frame, writes in its place, and draws the frame again below: `write` of Ink's `useStdout`. */
  write(text: string): void
}

/** Items of one batch. */
const itemsPerBatch = 40

/** Erases the visible screen; the scrollback stays. */
const eraseScreen = '\u001b[2J\u001b[H'

/**
 * Ink would lay out the whole answer in each frame (5 ms); finding and writing the changed lines takes 1 ms (`npm run
 * bench -- ui`). Ink draws the frame below: editor, overlay, status.
 */
export function createTranscriptWriter({ view: viewNow, write }: TranscriptPorts): TranscriptWriter {
  let { generation, session } = viewNow()
  let written = 0
  /** Lines directly above the frame that may still change. */
  let standing: readonly string[] = []
  let columns = 0
  let timer: NodeJS.Immediate | undefined

  /** The control sequence that erases the screen if the view begins again; else ''. */
  function beginAgain(view: View): string {
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
      standing = [] // the other program writes below them
      return
    }
    const erase = beginAgain(view)
    // a narrower terminal has wrapped the lines; a redraw erases them when the size has settled
    if (standing.length > 0 && screen.columns !== columns) return
    columns = screen.columns
    const { options, room } = layOut(view, screen)
    const { finished, finishedCount } = view
    const from = Math.max(0, finished.length - (finishedCount - written))
    const batch = finished.slice(from, from + itemsPerBatch)
    const left = finished.length - from - batch.length
    const lines = batch.flatMap((item) => itemLines(item, options))
    const rows = Math.max(2, Math.min(room, screen.rows - screen.frame - 1))
    const live = left > 0 || screen.isRead ? [] : liveLines(view.live, options, rows)
    const text = erase + rewriteLines(standing, [...lines, ...live])
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

/** The control sequence that changes the lines above the cursor, from the first difference. Scrolled lines stay. */
function rewriteLines(standing: readonly string[], next: readonly string[]): string {
  const differs = next.findIndex((line, index) => line !== standing[index])
  const same = differs === -1 ? Math.min(standing.length, next.length) : differs
  const above = standing.length - same
  const erase = above === 0 ? '' : `\u001b[${above}A\r\u001b[J`
  const lines = next.slice(same).map((line) => `${line.trimEnd()}\n`)
  return erase + lines.join('')
}
