// One line that is typed into: Enter sends it.
import { Box, Text, useCursor, useInput } from 'ink'
import { useEffect, useState } from 'react'
import type { ReactElement } from 'react'
import { terminalSafe } from '../../terminal-safe.ts'
import { useTheme } from '../hooks/use-theme.ts'
import { graphemes } from '../text/cell-width.ts'
import type { EditorProps } from './editor-props.ts'

const prompt = '› '

export function Editor(props: EditorProps): ReactElement {
  const { draft, isActive, top } = props
  const [text, setText] = useState(draft.text)
  const { setCursorPosition } = useCursor()
  const { paint } = useTheme()
  useEffect(() => {
    setText(draft.text)
  }, [draft.revision, draft.text])
  useInput(
    (input, key) => {
      if (key.ctrl && input === 'c') props.onAction('leave')
      else if (key.escape) props.onAction('abort')
      else if (key.return) {
        if (text.trim() !== '') (key.meta ? props.onFollowUp : props.onSubmit)({ text, images: [] })
        setText('')
      } else if (key.backspace || key.delete) setText(graphemes(text).slice(0, -1).join(''))
      else if (!key.ctrl && !key.meta) setText(text + input)
    },
    { isActive },
  )
  const shown = terminalSafe(text)
  setCursorPosition(isActive ? { x: prompt.length + shown.length, y: top } : undefined)
  return (
    <Box>
      <Text wrap="truncate">{paint('accent', prompt) + shown}</Text>
    </Box>
  )
}
