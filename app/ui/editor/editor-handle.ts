// React hook of the editor's state: current at once, so that several keys of one chunk work.
import { useCallback, useRef, useState } from 'react'
import { editText } from './edit-text.ts'
import { emptyEditor } from './editor-state.ts'
import type { EditorEdit, EditorState } from './editor-state.ts'

export interface EditorHandle {
  readonly state: EditorState
  /** The newest state, ahead of the drawn one. */
  now(): EditorState
  edit(edit: EditorEdit): void
}

/** @param initial the text at first; the cursor is at its end */
export function useEditor(initial = ''): EditorHandle {
  const [state, setState] = useState(() =>
    initial === '' ? emptyEditor : editText(emptyEditor, { type: 'insert', text: initial }),
  )
  const latest = useRef(state)
  const now = useCallback(() => latest.current, [])
  const edit = useCallback((edit: EditorEdit) => {
    latest.current = editText(latest.current, edit)
    setState(latest.current)
  }, [])
  return { state, now, edit }
}
