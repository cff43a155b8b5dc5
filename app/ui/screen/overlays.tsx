// What takes the keys in the editor's place: one picker, dialog or page at a time.
import type { ReactElement } from 'react'
import { Dialog } from '../dialogs/dialog.tsx'
import { ModelsPicker } from '../pickers/models-picker.tsx'
import { SessionsPicker } from '../pickers/sessions-picker.tsx'
import { ThinkingPicker } from '../pickers/thinking-picker.tsx'
import { ToolsPicker } from '../pickers/tools-picker.tsx'
import { TreePicker } from '../pickers/tree-picker.tsx'
import type { PickerFrame } from '../pickers/use-picker-actions.ts'
import type { View } from '../view/view.ts'

export interface OverlaysProps {
  readonly view: View
  /** Cells. */
  readonly columns: number
  /** Lines that it may take. */
  readonly rows: number
}

const pickers: Readonly<Record<string, (frame: PickerFrame) => ReactElement>> = {
  models: ModelsPicker,
  sessions: SessionsPicker,
  thinking: ThinkingPicker,
  tools: ToolsPicker,
  tree: TreePicker,
}

/** Lines that the overlay which is open may take on a terminal of so many; 0 where none of these is. */
export function overlayRows({ overlay }: View, rows: number): number {
  return overlay?.name === 'dialog' || overlay?.name === 'picker' ? Math.max(6, Math.min(20, rows - 10)) : 0
}

/** Nothing where no overlay is open. */
export function Overlays({ view, columns, rows }: OverlaysProps): ReactElement | null {
  const { overlay } = view
  if (overlay?.name === 'dialog')
    return <Dialog view={view} requestId={overlay.requestId} columns={columns} height={rows} />
  if (overlay?.name !== 'picker') return null
  const Chosen = pickers[overlay.picker]
  if (Chosen === undefined) return null
  return <Chosen key={overlay.picker} view={view} columns={columns} height={rows} argument={overlay.argument} />
}
