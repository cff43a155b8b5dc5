// Divides the rows of the screen; the sum never exceeds the terminal, or Ink would erase wrongly.
import { panelRows } from '../panels/panels.tsx'
import type { PanelRows } from '../panels/panels.tsx'
import { overlayRows } from './overlays.tsx'
import { surfaceRows } from '../surfaces/surface-rows.ts'
import type { SurfaceRows } from '../surfaces/surface-rows.ts'
import { isPage } from '../pages/pages.tsx'
import { queueRows } from '../status/queue-lines.tsx'
import type { Theme } from '../theme/theme.ts'
import type { DrawOptions } from '../transcript/item-lines.ts'
import type { View } from '../view/view.ts'

export interface Screen {
  readonly columns: number
  readonly rows: number
  readonly theme: Theme
  /** A screen reader is active: lines need not fit. */
  readonly isRead: boolean
  /** Label of the key that opens the whole output of a call; absent if no key does. */
  readonly openKey?: string | undefined
}

export interface Layout {
  readonly options: DrawOptions
  /** Rows of the live part. */
  readonly room: number
  readonly panels: PanelRows
  /** Rows of an overlay, of a page and of the editor. */
  readonly covered: number
  readonly page: number
  readonly editor: number
  /** Rows of a list below the editor: completion, search of the history. */
  readonly completion: number
  /** A rule stands above and below the editor. */
  readonly hasRules: boolean
  readonly surfaces: SurfaceRows
}

/** Maximum of rows of the editor; the live part gets the rest. */
const editorRows = 8
/** Maximum of rows of a list below the editor. */
const listRows = 10
/** A lower terminal has no rules. */
const leastRowsForRules = 14
/** Line width for a screen reader. */
const unlimitedColumns = 10_000
/** Rows of the live part beside an open page. */
const liveBesidePage = 2

export function layOut(view: View, { columns, rows, theme, isRead, openKey }: Screen): Layout {
  const { queue, running, overlay, showsThinking, isExpanded } = view
  const width = isRead ? unlimitedColumns : Math.max(20, columns - 1)
  const options = { columns: width, theme, showsThinking, isExpanded, openKey }
  const queued = queueRows({ queue, isRunning: running !== undefined })
  const panels = panelRows(view, rows, queued)
  const waiting = queued + panels.plan + panels.jobs
  const covered = overlayRows(view, rows, waiting)
  const hasRules = rows >= leastRowsForRules
  const ruled = hasRules ? 2 : 0
  // besides them: an empty row, a hint, the status row
  const surfaces = surfaceRows(view, rows, waiting)
  const hasEditor = overlay?.name !== 'dialog' && surfaces.dialog === 0 && surfaces.editor === 0
  const edited = hasEditor ? editorRows + ruled : surfaces.dialog + surfaces.editor
  const room = isPage(overlay) ? liveBesidePage : rows - edited - waiting - 3 - covered - surfaces.sum
  return {
    options,
    room: Math.max(2, room),
    panels,
    covered,
    page: Math.max(4, rows - waiting - liveBesidePage - 4),
    editor: Math.max(1, Math.min(editorRows, rows - ruled - 4)),
    completion: Math.max(3, Math.min(listRows, rows - editorRows - waiting - ruled - 4)),
    hasRules,
    surfaces,
  }
}
