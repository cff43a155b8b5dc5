// Provides short notations for editor states and edits.
import { editText } from '../../../../app/ui/editor/edit-text.ts'
import { emptyEditor } from '../../../../app/ui/editor/editor-state.ts'
import type { EditorEdit, EditorState } from '../../../../app/ui/editor/editor-state.ts'
import { unitsOf } from '../../../../app/ui/editor/unit.ts'

export const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const

export const insert = (text: string): EditorEdit => ({ type: 'insert', text })

export const move = (to: Extract<EditorEdit, { type: 'move' }>['to']): EditorEdit => ({ type: 'move', to })

export const remove = (to: Extract<EditorEdit, { type: 'delete' }>['to'], kill = false): EditorEdit => ({
  type: 'delete',
  to,
  kill,
})

export const row = (by: -1 | 1, width = 80, history: readonly string[] = []): EditorEdit => ({
  type: 'row',
  by,
  width,
  history: history.map((text) => [text]),
})

/** Builds a state from a text with `|` at the cursor. */
export function at(text: string): EditorState {
  const [left = '', right = ''] = text.split('|')
  return { ...emptyEditor, buffer: { units: [...unitsOf(left), ...unitsOf(right)], cursor: unitsOf(left).length } }
}

export const after = (state: EditorState, ...edits: readonly EditorEdit[]) => edits.reduce(editText, state)
