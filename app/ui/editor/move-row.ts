// Up and down keep to a column over rows of any length; above the first and below the last row lies the history.
import { undoLimit } from './editor-state.ts'
import type { EditorEdit, EditorState } from './editor-state.ts'
import { unitsOfEntry } from './history.ts'
import { indexAt, layoutText } from './layout-text.ts'
import type { TextBuffer } from './text-buffer.ts'

type RowEdit = Extract<EditorEdit, { type: 'row' }>

/** On the first row, up shows what was sent before; on the last, down what was sent after, and in the end the draft again. */
export function moveRow(state: EditorState, edit: RowEdit): EditorState {
  const { rows, cursor } = layoutText(state.buffer, edit.width)
  const index = cursor.row + edit.by
  const row = rows[index]
  if (row === undefined) return recalled(state, edit)
  const goal = state.goal ?? cursor.column
  const place = indexAt(state.buffer, row, goal, edit.width, index === rows.length - 1)
  return { ...state, buffer: { ...state.buffer, cursor: place }, last: 'other', goal }
}

function recalled(state: EditorState, { by, history }: RowEdit): EditorState {
  const { buffer, browsing } = state
  const index = (browsing?.index ?? history.length) + by
  const draft = browsing?.draft ?? buffer
  if (index === history.length && browsing !== undefined) return shown(state, draft, { browsing: undefined })
  const entry = history[index]
  if (entry === undefined) return state
  const units = unitsOfEntry(entry, state.chips + 1)
  const chips = state.chips + units.filter((unit) => typeof unit !== 'string').length
  return shown(state, { units, cursor: units.length }, { browsing: { index, draft }, chips })
}

function shown(
  state: EditorState,
  buffer: TextBuffer,
  rest: Pick<EditorState, 'browsing'> & Partial<Pick<EditorState, 'chips'>>,
): EditorState {
  const past = [...state.past, state.buffer].slice(-undoLimit)
  return { ...state, ...rest, buffer, past, future: [], last: 'other', goal: undefined }
}
