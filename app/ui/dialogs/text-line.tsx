// Input of one line, or of a text with several, with the editor's keys; accepted with Enter.
import { Box, Text } from 'ink'
import type { ReactElement } from 'react'
import { editOf } from '../editor/edit-text.ts'
import { useEditor } from '../editor/editor-handle.ts'
import { Editor, promptWidth } from '../editor/editor.tsx'
import type { EditorEdit } from '../editor/editor-state.ts'
import { textOfUnits } from '../editor/unit.ts'
import { useTheme } from '../hooks/use-theme.ts'
import type { ActionName } from '../keys/actions.ts'
import type { KeyPress } from '../keys/key-press.ts'
import type { Keymap } from '../keys/keymap.ts'
import { useKeymap } from '../keys/use-keys.ts'
import { useSettledKeys } from '../keys/use-settled-keys.ts'
import { span } from '../text/span.ts'

export interface TextLineProps {
  readonly title: string
  readonly initial?: string
  /** Up and Down move by rows, and a paste keeps its line ends. Default: false, line ends become spaces. */
  readonly isMultiline?: boolean
  readonly columns: number
  /** Maximum of rows of the text. Default 4. */
  readonly rows?: number
  /** Milliseconds in which keys are ignored. Default 0. */
  readonly settleMs?: number
  readonly onDone: (text: string) => void
  readonly onCancel: () => void
}

export function TextLine(props: TextLineProps): ReactElement {
  const { title, isMultiline = false, columns, rows = 4, settleMs = 0, onDone, onCancel } = props
  const theme = useTheme()
  const keymap = useKeymap()
  const editor = useEditor(props.initial)
  const onKey = (action: ActionName | undefined, press: KeyPress): void => {
    if (action === 'listAccept') onDone(textOfUnits(editor.now().buffer.units))
    else if (action === 'listCancel') onCancel()
    else {
      const edit = isMultiline ? multilineEdit(press, keymap, columns - promptWidth) : lineEdit(press, keymap)
      if (edit !== undefined) editor.edit(edit)
    }
  }
  useSettledKeys(onKey, true, settleMs)
  return (
    <Box flexDirection="column" width={columns}>
      <Text wrap="truncate">{theme.paint('heading', span(title).text)}</Text>
      <Editor
        buffer={editor.state.buffer}
        prompt="›"
        promptRole="accent"
        placeholder=""
        hasCursor
        columns={columns}
        rows={rows}
      />
      <Text wrap="truncate">{theme.paint('dim', 'Enter accepts · Esc closes')}</Text>
    </Box>
  )
}

/** Undefined for a key that does not edit. */
function multilineEdit(press: KeyPress, keymap: Keymap, width: number): EditorEdit | undefined {
  if (press.kind !== 'key') return { type: 'insert', text: press.text }
  const action = keymap.main.get(press.name)
  if (action !== 'moveUp' && action !== 'moveDown') return lineEdit(press, keymap)
  return { type: 'row', by: action === 'moveUp' ? -1 : 1, width, history: [] }
}

/** Line ends become spaces. Undefined for a key that does not edit. */
function lineEdit(press: KeyPress, { main }: Keymap): EditorEdit | undefined {
  if (press.kind !== 'key') return { type: 'insert', text: press.text.replaceAll(/[\r\n\t]+/g, ' ') }
  const action = main.get(press.name)
  return action === undefined ? undefined : editOf(action)
}
