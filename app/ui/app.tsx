// The screen: what is finished goes up into the scrollback, below it what is live, the editor or an overlay, and the status line.
import { Box, Text, useWindowSize } from 'ink'
import type { ReactElement } from 'react'
import { Editor } from './editor/editor.tsx'
import type { Submission } from './editor/editor-props.ts'
import { useBehavior } from './hooks/use-behavior.ts'
import { useTheme } from './hooks/use-theme.ts'
import { useUi } from './hooks/use-ui.ts'
import { runAction } from './run-action.ts'
import { sendInput } from './send-input.ts'
import { StatusLine } from './status/status-line.tsx'
import { itemLines } from './transcript/item-lines.ts'
import { Finished } from './transcript/transcript.tsx'

/** Rows that the editor may take; the live part has what is left. */
const editorRows = 8

export function App(): ReactElement {
  const ui = useUi()
  const view = useBehavior(ui.view$)
  const theme = useTheme()
  const { columns, rows } = useWindowSize()
  const options = { columns, theme, showsThinking: view.showsThinking }
  const room = Math.max(1, rows - editorRows - 4)
  const lines = view.live.flatMap((item) => itemLines(item, options)).slice(-room)
  const submit = (kind: 'steer' | 'follow_up') => (input: Submission) => {
    sendInput(ui, input, kind)
  }
  return (
    <>
      <Finished items={view.finished} options={options} key={view.generation} />
      <Box flexDirection="column">
        {lines.length > 0 && <Text>{lines.join('\n')}</Text>}
        <Text> </Text>
        <Editor
          draft={view.draft}
          isActive={view.overlay === undefined}
          columns={columns}
          rows={Math.min(editorRows, rows - 4)}
          top={lines.length + 1}
          isRunning={view.running !== undefined}
          onSubmit={submit('steer')}
          onFollowUp={submit('follow_up')}
          onAction={(name) => {
            runAction(ui, name)
          }}
        />
        <StatusLine view={view} columns={columns} />
      </Box>
    </>
  )
}
