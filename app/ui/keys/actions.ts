// Table of all key actions with descriptions and default keys; /help and keybindings.json use it.

/** `list`: while a completion, picker or dialog is open; else `main`. */
export type ActionGroup = 'main' | 'list'

export interface Action {
  readonly group: ActionGroup
  readonly description: string
  /** Names as in `KeyPress`; two separated by a space are pressed within a second. */
  readonly keys: readonly string[]
}

const main = (description: string, ...keys: readonly string[]): Action => ({ group: 'main', description, keys })
const list = (description: string, ...keys: readonly string[]): Action => ({ group: 'list', description, keys })

/** The actions with their default keys. */
export const actions = {
  submit: main('send; during a run, steer it', 'enter'),
  followUp: main('send when the run has ended', 'alt+enter'),
  newline: main('a new line (or \\ and Enter)', 'shift+enter', 'ctrl+j', 'ctrl+enter'),
  abort: main('stop the run; queued inputs return to the editor', 'escape'),
  tree: main('the tree of this session', 'escape escape'),
  clear: main('stop the run; without a run, empty the editor', 'ctrl+c'),
  leave: main('quit; asks if a run is active', 'ctrl+c ctrl+c'),
  queuedBefore: main('edit the last queued input, then the one before', 'alt+up'),
  queuedAfter: main('edit the next queued input', 'alt+down'),
  searchHistory: main('search the history', 'ctrl+r'),
  showKeys: main('the keys on one screen; also ? on an empty line', 'alt+?'),
  complete: main('complete a path or a command', 'tab'),
  externalEditor: main('write in $VISUAL or $EDITOR', 'ctrl+g'),
  toggleThinking: main('show or fold thinking', 'ctrl+t'),
  expandTools: main('show or fold the output of tools', 'ctrl+o'),
  showOutput: main('the whole output of the last call, on a page', 'alt+o'),
  showPlan: main('the steps of the agent', 'alt+p'),
  showJobs: main('background jobs: read or end them', 'alt+j'),
  togglePlan: main('plan without changing anything, or end it', 'shift+tab'),
  cycleThinking: main('the next thinking level', 'alt+t'),
  pickModel: main('choose a model', 'alt+m'),
  redraw: main('draw the screen again', 'ctrl+l'),
  suspend: main('suspend to the shell (fg returns)', 'ctrl+z'),
  moveLeft: main('left', 'left', 'ctrl+b'),
  moveRight: main('right', 'right', 'ctrl+f'),
  moveUp: main('up; on the first line, the previous prompt', 'up', 'ctrl+p'),
  moveDown: main('down; on the last line, the next prompt', 'down', 'ctrl+n'),
  moveWordLeft: main('a word left', 'alt+left', 'ctrl+left', 'alt+b'),
  moveWordRight: main('a word right', 'alt+right', 'ctrl+right', 'alt+f'),
  moveLineStart: main('to the start of the line', 'home', 'ctrl+a'),
  moveLineEnd: main('to the end of the line', 'end', 'ctrl+e'),
  moveStart: main('to the start of the text', 'ctrl+home'),
  moveEnd: main('to the end of the text', 'ctrl+end'),
  deleteLeft: main('delete to the left', 'backspace', 'shift+backspace', 'ctrl+h'),
  deleteRight: main('delete to the right', 'delete'),
  deleteOrLeave: main('delete to the right; if the editor is empty, quit', 'ctrl+d'),
  deleteWordLeft: main('delete a word to the left', 'ctrl+w', 'alt+backspace', 'ctrl+backspace'),
  deleteWordRight: main('delete a word to the right', 'alt+d', 'alt+delete', 'ctrl+delete'),
  deleteToLineStart: main('delete to the start of the line', 'ctrl+u'),
  deleteToLineEnd: main('delete to the end of the line', 'ctrl+k'),
  yank: main('insert the text that was deleted last', 'ctrl+y'),
  undo: main('undo', 'ctrl+_', 'ctrl+/', 'ctrl+-'),
  redo: main('redo', 'alt+z'),
  listUp: list('the row above', 'up', 'ctrl+p'),
  listDown: list('the row below', 'down', 'ctrl+n'),
  listPageUp: list('a page up', 'pageup'),
  listPageDown: list('a page down', 'pagedown'),
  listAccept: list('select', 'enter'),
  listComplete: list('insert it into the editor', 'tab'),
  listCancel: list('close', 'escape', 'ctrl+c'),
} as const satisfies Readonly<Record<string, Action>>

export type ActionName = keyof typeof actions

/** In the order of the table. */
export const actionNames = Object.keys(actions) as readonly ActionName[] // the table's own keys
