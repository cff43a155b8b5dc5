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

export function useEditor(): EditorHandle {
  const latest = useRef(emptyEditor)
  const [state, setState] = useState(emptyEditor)
  const now = useCallback(() => latest.current, [])
  const edit = useCallback((edit: EditorEdit) => {
    latest.current = editText(latest.current, edit)
    setState(latest.current)
  }, [])
  return { state, now, edit }
}
