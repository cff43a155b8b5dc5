// Searches the prompt history in place of the editor and puts the chosen input into it.
import type { ReactElement } from 'react'
import type { EditorHandle } from '../editor/editor-handle.ts'
import { unitsOfEntry } from '../editor/prompt-history.ts'
import type { HistoryEntry } from '../editor/prompt-history.ts'
import { textOfUnits } from '../editor/unit.ts'
import { Picker } from '../lists/picker.tsx'
import type { PickerRow } from '../lists/list-state.ts'

export interface HistorySearchProps {
  readonly editor: EditorHandle
  readonly history: { entries(): readonly HistoryEntry[] }
  /** Cells. */
  readonly columns: number
  /** Maximum of rows of the list. */
  readonly rows: number
  readonly onClose: () => void
}

/** Maximum of characters of the editor's text that become the first filter. */
const filterLimit = 40

/** Newest first; a text in the editor filters the list, and stays if nothing is chosen. */
export function HistorySearch({ editor, history, columns, rows, onClose }: HistorySearchProps): ReactElement {
  const entries = history.entries()
  const typed = textOfUnits(editor.now().buffer.units)
  const query = typed.length <= filterLimit && !typed.includes('\n') ? typed : ''
  return (
    <Picker
      title="History"
      rows={rowsOf(entries)}
      columns={columns - 1}
      height={rows + 3}
      query={query}
      keepsOrder
      empty="There is no earlier input in this folder"
      onCancel={onClose}
      onAccept={({ key }) => {
        const entry = entries[Number(key)]
        if (entry !== undefined) editor.edit({ type: 'put', units: unitsOfEntry(entry, 1) })
        onClose()
      }}
    />
  )
}

/** The key is the index of the newest entry with this text. */
function rowsOf(entries: readonly HistoryEntry[]): readonly PickerRow[] {
  const byText = new Map<string, number>()
  entries.forEach((entry, index) => {
    const text = textOfUnits(unitsOfEntry(entry, 1))
    byText.delete(text)
    byText.set(text, index)
  })
  return [...byText].map(([label, index]) => ({ key: String(index), label })).toReversed()
}
