// The actions of the keymap that are about the text alone, each with its edit.
import type { ActionName } from '../keys/actions.ts'
import type { EditorEdit, EditorMove } from './editor-state.ts'

const move = (to: EditorMove): EditorEdit => ({ type: 'move', to })
const drop = (to: EditorMove): EditorEdit => ({ type: 'delete', to, kill: false })
const kill = (to: EditorMove): EditorEdit => ({ type: 'delete', to, kill: true })

const edits: Readonly<Partial<Record<ActionName, EditorEdit>>> = {
  newline: { type: 'insert', text: '\n' },
  moveLeft: move('left'),
  moveRight: move('right'),
  moveWordLeft: move('wordLeft'),
  moveWordRight: move('wordRight'),
  moveLineStart: move('lineStart'),
  moveLineEnd: move('lineEnd'),
  moveStart: move('start'),
  moveEnd: move('end'),
  deleteLeft: drop('left'),
  deleteRight: drop('right'),
  deleteWordLeft: kill('wordLeft'),
  deleteWordRight: kill('wordRight'),
  deleteToLineStart: kill('lineStart'),
  deleteToLineEnd: kill('lineEnd'),
  yank: { type: 'yank' },
  undo: { type: 'undo' },
  redo: { type: 'redo' },
}

/** Undefined for an action that needs to know more than the text, or is about something else. */
export function editOf(action: ActionName): EditorEdit | undefined {
  return edits[action]
}
