// Who gets which rows of the screen: together they never take more than there are, or Ink would erase what it cannot see.
import { overlayRows } from './overlays.tsx'
import { isPage } from '../pages/pages.tsx'
import { queueRows } from '../status/queue-lines.tsx'
import type { Theme } from '../theme/theme.ts'
import type { DrawOptions } from '../transcript/item-lines.ts'
import type { View } from '../view/view.ts'

export interface Screen {
  readonly columns: number
  readonly rows: number
  readonly theme: Theme
  /** It is read aloud: who listens needs no lines that fit. */
  readonly isRead: boolean
}

export interface Layout {
  readonly options: DrawOptions
  /** Rows that what is live may take. */
  readonly room: number
  /** Rows of an overlay, a page and the editor. */
  readonly covered: number
  readonly page: number
  readonly editor: number
}

/** Rows that the editor may take; the live part has what is left. */
const editorRows = 8
/** Cells of a line that is read aloud. */
const unbroken = 10_000
/** Rows of the live part that stay while a page is open. */
const liveBesidePage = 2

export function layOut(view: View, { columns, rows, theme, isRead }: Screen): Layout {
  const { queue, running, overlay, showsThinking, isExpanded } = view
  const options = { columns: isRead ? unbroken : Math.max(20, columns - 1), theme, showsThinking, isExpanded }
  const waiting = queueRows({ queue, isRunning: running !== undefined })
  const covered = overlayRows(view, rows)
  const room = isPage(overlay) ? liveBesidePage : rows - editorRows - waiting - 4 - covered
  return {
    options,
    room: Math.max(2, room),
    covered,
    page: Math.max(4, rows - waiting - liveBesidePage - 4),
    editor: Math.max(1, Math.min(editorRows, rows - 4)),
  }
}
