// Input of one short text, accepted with Enter.
import { Box, Text } from 'ink'
import type { ReactElement } from 'react'
import { useLatest } from '../hooks/use-latest.ts'
import { useTheme } from '../hooks/use-theme.ts'
import type { ActionName } from '../keys/actions.ts'
import type { KeyPress } from '../keys/key-press.ts'
import { useSettledKeys } from '../keys/use-settled-keys.ts'
import { Editor } from '../editor/editor.tsx'
import { bufferOf } from '../editor/text-buffer.ts'
import { span } from '../text/span.ts'
import { editLine } from '../text/line-input.ts'

export interface TextLineProps {
  readonly title: string
  readonly initial?: string
  readonly columns: number
  /** Milliseconds in which keys are ignored. Default 0. */
  readonly settleMs?: number
  readonly onDone: (text: string) => void
  readonly onCancel: () => void
}

/** Maximum of rows. */
const rows = 4

export function TextLine(props: TextLineProps): ReactElement {
  const { title, columns, settleMs = 0, onDone, onCancel } = props
  const theme = useTheme()
  const line = useLatest(props.initial ?? '')
  const keyed = (action: ActionName | undefined, press: KeyPress): void => {
    if (action === 'listAccept') onDone(line.now())
    else if (action === 'listCancel') onCancel()
    else line.put(editLine(line.now(), press) ?? line.now())
  }
  useSettledKeys(keyed, true, settleMs)
  return (
    <Box flexDirection="column" width={columns}>
      <Text wrap="truncate">{theme.paint('heading', span(title).text)}</Text>
      <Editor
        buffer={bufferOf(line.drawn)}
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
