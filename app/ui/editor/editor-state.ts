// The editor's whole state; every edit gives a new one, and what an edit changed can be undone.
import type { HistoryEntry } from './prompt-history.ts'
import { emptyBuffer } from './text-buffer.ts'
import type { TextBuffer } from './text-buffer.ts'
import type { Unit } from './text-buffer.ts'

export interface EditorState {
  readonly buffer: TextBuffer
  /** What undo and redo go back to, the nearest last; at most `undoLimit`. */
  readonly past: readonly TextBuffer[]
  readonly future: readonly TextBuffer[]
  /** What was deleted last, in the order of the text. */
  readonly killed: readonly Unit[]
  /** What kind of edit was the last one: typing undoes as one, deletions side by side are put back as one. */
  readonly last: 'type' | 'killLeft' | 'killRight' | 'other'
  /** The column that moving up and down keeps to. */
  readonly goal: number | undefined
  /** The number of the newest chip. */
  readonly chips: number
  /** While an entry of the history is shown: its index, and what stood there before. */
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
  /** Line ends and all; more than 5 lines or 1,000 characters become a chip. */
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'image'; readonly name: string; readonly image: Extract<Unit, { kind: 'image' }>['image'] }
  | { readonly type: 'move'; readonly to: EditorMove }
  /** A row up (-1) or down (1) at a width; beyond the first and last row, the history. */
  | { readonly type: 'row'; readonly by: -1 | 1; readonly width: number; readonly history: readonly HistoryEntry[] }
  /** Deletes from the cursor up to there; `kill`: what is deleted can be put back by `yank`. */
  | { readonly type: 'delete'; readonly to: EditorMove; readonly kill: boolean }
  | { readonly type: 'yank' }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' }
  /** A text in the place of the units from `from` up to the cursor. */
  | { readonly type: 'replace'; readonly from: number; readonly text: string }
  /** Other units in the place of all; they can be undone. */
  | { readonly type: 'put'; readonly units: readonly Unit[] }
  /** Nothing is left, neither to undo: what stood there was sent. */
  | { readonly type: 'sent' }
