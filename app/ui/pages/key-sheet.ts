// Formats the most used keys in two columns, so that they fit one screen of 60 by 24 cells.
import type { ActionName } from '../keys/actions.ts'
import { keyLabel } from '../keys/key-name.ts'
import { keysOf } from '../keys/keymap.ts'
import type { Keymap } from '../keys/keymap.ts'
import { cellWidth, cutToWidth } from '../text/cell-width.ts'
import { span } from '../text/span.ts'
import type { Line, Span } from '../text/span.ts'

/** An action, or a typed character in quotes, and what it does. */
type Row = readonly [key: ActionName | `"${string}"`, words: string]

const left: readonly Row[] = [
  ['submit', 'send, or steer'],
  ['followUp', 'send at the end'],
  ['newline', 'new line'],
  ['abort', 'stop the run'],
  ['clear', 'stop, then leave'],
  ['queuedBefore', 'edit the queue'],
  ['moveUp', 'earlier input'],
  ['searchHistory', 'search history'],
  ['complete', 'complete'],
  ['externalEditor', 'your editor'],
  ['deleteWordLeft', 'delete a word'],
  ['deleteToLineStart', 'delete the line'],
  ['undo', 'undo typing'],
]

const right: readonly Row[] = [
  ['"/"', 'commands'],
  ['"@"', 'files'],
  ['"!"', 'shell command'],
  ['"!!"', 'without model'],
  ['"?"', 'these keys'],
  ['tree', 'session tree'],
  ['pickModel', 'model'],
  ['togglePlan', 'plan, or end it'],
  ['cycleThinking', 'thinking level'],
  ['toggleThinking', 'show thinking'],
  ['expandTools', 'show tool output'],
  ['redraw', 'draw again'],
  ['suspend', 'suspend'],
  ['deleteOrLeave', 'leave'],
]

/** Cells of a key, and of a column. */
const keyCells = 12
const columnCells = 29

export function keySheet(keymap: Keymap): readonly Line[] {
  return left.map((row, index) => {
    const other = right[index]
    return [...cells(row, keymap), ...(other === undefined ? [] : cells(other, keymap))]
  })
}

function cells([key, words]: Row, keymap: Keymap): readonly Span[] {
  const label = cutToWidth(labelOf(key, keymap), keyCells - 1)
  return [span(label.padEnd(keyCells), 'accent'), span(padded(words, columnCells - keyCells))]
}

function labelOf(key: Row[0], keymap: Keymap): string {
  if (isTyped(key)) return key.slice(1, -1)
  const [first] = keysOf(keymap, key)
  return first === undefined ? 'no key' : keyLabel(first)
}

function isTyped(key: Row[0]): key is `"${string}"` {
  return key.startsWith('"')
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - cellWidth(text)))
}
