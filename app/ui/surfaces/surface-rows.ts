// Divides rows of the screen between the surfaces of extensions.
import { surfaceAt } from '../view/fold-screen.ts'
import type { Surface } from '../view/fold-screen.ts'
import type { View } from '../view/view.ts'

/** The rows of each surface that is drawn, and their sums. */
export interface SurfaceRows {
  readonly header: readonly SurfacePart[]
  readonly above: readonly SurfacePart[]
  readonly below: readonly SurfacePart[]
  readonly footer: readonly SurfacePart[]
  /** Of all four. */
  readonly sum: number
  /** Rows of the open dialog and of the editor; 0 if there is none. */
  readonly dialog: number
  readonly editor: number
}

export interface SurfacePart {
  readonly surface: Surface
  readonly rows: number
}

/** Rows that the dialog leaves: the live part, the hint, the status row. */
const besideDialog = 6
const maxEditorRows = 12

/**
 * Header, widgets and footer share a third of the terminal, the footer first; nothing of them is drawn under an overlay of the UI. What does
 * not fit is cut.
 */
export function surfaceRows(view: Pick<View, 'surfaces' | 'overlay'>, rows: number, taken: number): SurfaceRows {
  const { surfaces, overlay } = view
  if (surfaces.length === 0 || overlay !== undefined) return noRows
  let room = Math.floor(rows / 3)
  const part = (each: readonly (Surface | undefined)[]): readonly SurfacePart[] =>
    each.flatMap((surface) => {
      const own = Math.min(surface?.lines.length ?? 0, room)
      room -= own
      return surface === undefined || own === 0 ? [] : [{ surface, rows: own }]
    })
  const widgets = (isBelow: boolean): readonly Surface[] =>
    surfaces.filter(({ placement, position }) => placement === 'widget' && (position === 'below') === isBelow)
  const footer = part([surfaceAt(view, 'footer')])
  const above = part(widgets(false))
  const below = part(widgets(true))
  const header = part([surfaceAt(view, 'header')])
  const sum = Math.floor(rows / 3) - room
  const [dialog, editor] = [surfaceAt(view, 'dialog'), surfaceAt(view, 'editor')]
  const dialogRoom = Math.max(1, rows - taken - sum - besideDialog)
  return {
    ...{ header, above, below, footer, sum },
    dialog: dialog === undefined ? 0 : Math.max(1, Math.min(dialog.lines.length, dialogRoom)),
    editor:
      editor === undefined || dialog !== undefined
        ? 0
        : Math.max(1, Math.min(editor.lines.length, maxEditorRows, dialogRoom)),
  }
}

const noRows: SurfaceRows = { header: [], above: [], below: [], footer: [], sum: 0, dialog: 0, editor: 0 }
