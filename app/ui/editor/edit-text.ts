// Reducer of the editor: applies an edit to the state; an impossible edit changes nothing.
import { lineEnd, lineStart, wordLeft, wordRight, insertText, replaceUnits } from './text-buffer.ts'
import { normalizeLineEnds, pastedLines, unitsOf } from './unit.ts'
import { emptyEditor, undoLimit } from './editor-state.ts'
import type { EditorEdit, EditorMove, EditorState } from './editor-state.ts'
import { moveRow } from './move-row.ts'
import type { TextBuffer } from './text-buffer.ts'
import type { Unit } from './unit.ts'
import type { ActionName } from '../keys/actions.ts'

/** A longer paste becomes a chip. */
const pasteLimits = { lines: 5, characters: 1_000 }

export function editText(state: EditorState, edit: EditorEdit): EditorState {
  const { buffer } = state
  switch (edit.type) {
    case 'insert':
      return changeBuffer(state, insertText(buffer, edit.text), /\s/.test(edit.text) ? 'other' : 'type')
    case 'paste':
      return paste(state, normalizeLineEnds(edit.text))
    case 'image':
      return insertChip(state, { kind: 'image', number: state.chips + 1, name: edit.name, image: edit.image })
    case 'move':
      return { ...state, buffer: { ...buffer, cursor: moveTarget(buffer, edit.to) }, last: 'other', goal: undefined }
    case 'row':
      return moveRow(state, edit)
    case 'delete':
      return deleteTo(state, moveTarget(buffer, edit.to), edit.kill)
    case 'yank':
      return changeBuffer(state, replaceUnits(buffer, buffer.cursor, buffer.cursor, state.killed))
    case 'undo':
      return undo(state)
    case 'redo':
      return redo(state)
    case 'replace':
      return changeBuffer(state, replaceUnits(buffer, edit.from, buffer.cursor, unitsOf(edit.text)))
    case 'put':
      return {
        ...changeBuffer(state, replaceUnits(buffer, 0, buffer.units.length, edit.units)),
        chips: highestChipNumber(state, edit.units),
      }
    case 'sent':
      return { ...emptyEditor, killed: state.killed }
  }
}

/** An undoable change; consecutive letters undo as one. */
function changeBuffer(state: EditorState, buffer: TextBuffer, last: EditorState['last'] = 'other'): EditorState {
  const { past } = state
  if (buffer.units.length === 0 && state.buffer.units.length === 0) return state
  const goesOn = last === 'type' && state.last === 'type'
  return {
    ...state,
    buffer,
    past: goesOn ? past : [...past, state.buffer].slice(-undoLimit),
    future: [],
    last,
    goal: undefined,
    browsing: browsingOn(state, buffer),
  }
}

/** A text that was typed before Up stays one Down away. Without one, or in an emptied editor, the change is the draft. */
function browsingOn({ browsing }: EditorState, { units }: TextBuffer): EditorState['browsing'] {
  return units.length === 0 || browsing?.draft.units.length === 0 ? undefined : browsing
}

function paste(state: EditorState, text: string): EditorState {
  if (pastedLines(text) <= pasteLimits.lines && text.length <= pasteLimits.characters) {
    return changeBuffer(state, insertText(state.buffer, text))
  }
  return insertChip(state, { kind: 'paste', number: state.chips + 1, text })
}

function insertChip(state: EditorState, chip: Exclude<Unit, string>): EditorState {
  const { buffer } = state
  return { ...changeBuffer(state, replaceUnits(buffer, buffer.cursor, buffer.cursor, [chip])), chips: chip.number }
}

/** Highest chip number, for the next chip. */
function highestChipNumber({ chips }: EditorState, units: readonly Unit[]): number {
  return units.reduce((number, unit) => (typeof unit === 'string' ? number : Math.max(number, unit.number)), chips)
}

function moveTarget({ units, cursor }: TextBuffer, to: EditorMove): number {
  switch (to) {
    case 'left':
      return Math.max(0, cursor - 1)
    case 'right':
      return Math.min(units.length, cursor + 1)
    case 'wordLeft':
      return wordLeft(units, cursor)
    case 'wordRight':
      return wordRight(units, cursor)
    case 'lineStart':
      return lineStart(units, cursor)
    case 'lineEnd':
      return lineEnd(units, cursor)
    case 'start':
      return 0
    case 'end':
      return units.length
  }
}

function deleteTo(state: EditorState, to: number, kill: boolean): EditorState {
  const { buffer, killed, last } = state
  const [from, until] = to < buffer.cursor ? [to, buffer.cursor] : [buffer.cursor, to]
  if (from === until) return { ...state, last: 'other' }
  const next = replaceUnits(buffer, from, until, [])
  if (!kill) return changeBuffer(state, next)
  const taken = buffer.units.slice(from, until)
  const side = to < buffer.cursor ? 'killLeft' : 'killRight'
  const joined = last !== side ? taken : side === 'killLeft' ? [...taken, ...killed] : [...killed, ...taken]
  return { ...changeBuffer(state, next, side), killed: joined }
}

function undo(state: EditorState): EditorState {
  const { buffer, past, future } = state
  const before = past.at(-1)
  if (before === undefined) return { ...state, last: 'other' }
  return {
    ...state,
    buffer: before,
    past: past.slice(0, -1),
    future: [...future, buffer],
    last: 'other',
    goal: undefined,
    browsing: undefined,
  }
}

function redo(state: EditorState): EditorState {
  const { buffer, past, future } = state
  const after = future.at(-1)
  if (after === undefined) return { ...state, last: 'other' }
  return {
    ...state,
    buffer: after,
    past: [...past, buffer],
    future: future.slice(0, -1),
    last: 'other',
    goal: undefined,
  }
}

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

/** The edit of an action of the keymap; undefined for an action that is not a plain edit. */
export function editOf(action: ActionName): EditorEdit | undefined {
  return edits[action]
}
