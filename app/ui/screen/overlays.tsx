// Selects the picker or dialog that replaces the editor.
import type { ReactElement } from 'react'
import { Dialog } from '../dialogs/dialog.tsx'
import { ExtensionsPicker } from '../pickers/extensions-picker.tsx'
import { JobsPicker } from '../pickers/jobs-picker.tsx'
import { LeavePicker } from '../pickers/leave-picker.tsx'
import { McpPicker } from '../pickers/mcp-picker.tsx'
import { ModelsPicker } from '../pickers/models-picker.tsx'
import { SessionsPicker } from '../pickers/sessions-picker.tsx'
import { ApprovalPicker } from '../pickers/approval-picker.tsx'
import { ThinkingPicker } from '../pickers/thinking-picker.tsx'
import { ToolsPicker } from '../pickers/tools-picker.tsx'
import { TrustPicker } from '../pickers/trust-picker.tsx'
import { TreePicker } from '../pickers/tree-picker.tsx'
import type { PickerFrame } from '../pickers/use-picker-actions.ts'
import type { View } from '../view/view.ts'

export interface OverlaysProps {
  readonly view: View
  /** Cells. */
  readonly columns: number
  /** Maximum of lines. */
  readonly rows: number
}

const pickers: Readonly<Record<string, (frame: PickerFrame) => ReactElement>> = {
  jobs: JobsPicker,
  leave: LeavePicker,
  models: ModelsPicker,
  sessions: SessionsPicker,
  thinking: ThinkingPicker,
  approve: ApprovalPicker,
  tools: ToolsPicker,
  tree: TreePicker,
  trust: TrustPicker,
  extensions: ExtensionsPicker,
  mcp: McpPicker,
}

/**
 * Lines of the open overlay on a terminal with `rows` rows, of which the queue takes `taken`; 0 if none is open. A
 * question gets more: its subject is shown in full.
 */
export function overlayRows({ overlay }: View, rows: number, taken: number): number {
  if (overlay?.name === 'dialog') return Math.max(10, Math.min(26, rows - taken - 6))
  return overlay?.name === 'picker' ? Math.max(6, Math.min(20, rows - 10)) : 0
}

/** Null if no overlay is open. */
export function Overlays({ view, columns, rows }: OverlaysProps): ReactElement | null {
  const { overlay } = view
  if (overlay?.name === 'dialog')
    return <Dialog view={view} requestId={overlay.requestId} columns={columns} height={rows} />
  if (overlay?.name !== 'picker') return null
  const Chosen = pickers[overlay.picker]
  if (Chosen === undefined) return null
  return <Chosen key={overlay.picker} view={view} columns={columns} height={rows} argument={overlay.argument} />
}
