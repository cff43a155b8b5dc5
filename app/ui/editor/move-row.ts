// Moves the cursor up or down a row; beyond the first and last row it shows entries of the history.
import type { EditorEdit, EditorState } from './editor-state.ts'
import { undoLimit } from './editor-state.ts'
import { indexAt, layoutText } from './layout-text.ts'
import { unitsOfEntry } from './prompt-history.ts'
import type { TextBuffer } from './text-buffer.ts'

type RowEdit = Extract<EditorEdit, { type: 'row' }>

/**
 * Keeps the column. Up on the first row shows the previous entry of the history; down on the last row the next one,
 * finally the draft.
 */
export function moveRow(state: EditorState, edit: RowEdit): EditorState {
  const { rows, cursor } = layoutText(state.buffer, edit.width)
  const index = cursor.row + edit.by
  const row = rows[index]
  if (row === undefined) return browseHistory(state, edit)
  const goal = state.goal ?? cursor.column
  const nextCursor = indexAt(state.buffer, row, goal, edit.width)
  return { ...state, buffer: { ...state.buffer, cursor: nextCursor }, last: 'other', goal }
}

function browseHistory(state: EditorState, { by, history }: RowEdit): EditorState {
  const { buffer, browsing } = state
  const index = (browsing?.index ?? history.length) + by
  const draft = browsing?.draft ?? buffer
  if (index === history.length && browsing !== undefined) return replaceBuffer(state, draft, { browsing: undefined })
  const entry = history[index]
  if (entry === undefined) return state
  const units = unitsOfEntry(entry, state.chips + 1)
  const chips = state.chips + units.filter((unit) => typeof unit !== 'string').length
  return replaceBuffer(state, { units, cursor: units.length }, { browsing: { index, draft }, chips })
}

function replaceBuffer(
  state: EditorState,
  buffer: TextBuffer,
  rest: Pick<EditorState, 'browsing'> & Partial<Pick<EditorState, 'chips'>>,
): EditorState {
  const past = [...state.past, state.buffer].slice(-undoLimit)
  return { ...state, ...rest, buffer, past, future: [], last: 'other', goal: undefined }
}
