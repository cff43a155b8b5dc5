// State of the editor and the edits that change it; every edit returns a new state.
import type { HistoryEntry } from './prompt-history.ts'
import { emptyBuffer } from './text-buffer.ts'
import type { TextBuffer } from './text-buffer.ts'
import type { Unit } from './unit.ts'

export interface EditorState {
  readonly buffer: TextBuffer
  /** States for undo and redo, nearest last; at most `undoLimit`. */
  readonly past: readonly TextBuffer[]
  readonly future: readonly TextBuffer[]
  /** The text of the last deletions, in text order. */
  readonly killed: readonly Unit[]
  /** Kind of the last edit: consecutive typing undoes as one, consecutive kills are yanked as one. */
  readonly last: 'type' | 'killLeft' | 'killRight' | 'other'
  /** Column that vertical moves keep. */
  readonly goal: number | undefined
  /** Number of the newest chip. */
  readonly chips: number
  /** While a history entry is shown, perhaps edited: its index and the text before. */
  readonly browsing: { readonly index: number; readonly draft: TextBuffer } | undefined
}

export const undoLimit = 200

export const emptyEditor: EditorState = {
  buffer: emptyBuffer,
  past: [],
  future: [],
  killed: [],
  last: 'other',
  goal: undefined,
  chips: 0,
  browsing: undefined,
}

export type EditorMove = 'left' | 'right' | 'wordLeft' | 'wordRight' | 'lineStart' | 'lineEnd' | 'start' | 'end'

export type EditorEdit =
  | { readonly type: 'insert'; readonly text: string }
  /** With line ends; more than 5 lines or 1,000 characters become a chip. */
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'image'; readonly name: string; readonly image: Extract<Unit, { kind: 'image' }>['image'] }
  | { readonly type: 'move'; readonly to: EditorMove }
  /** Moves a row up (-1) or down (1) at a width; beyond the first and last row, through the history. */
  | { readonly type: 'row'; readonly by: -1 | 1; readonly width: number; readonly history: readonly HistoryEntry[] }
  /** Deletes from the cursor to the target; `kill`: `yank` can insert it again. */
  | { readonly type: 'delete'; readonly to: EditorMove; readonly kill: boolean }
  | { readonly type: 'yank' }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' }
  /** Replaces the units from `from` up to the cursor. */
  | { readonly type: 'replace'; readonly from: number; readonly text: string }
  /** Replaces all units; undoable. */
  | { readonly type: 'put'; readonly units: readonly Unit[] }
  /** Empties the editor after sending; not undoable. */
  | { readonly type: 'sent' }
