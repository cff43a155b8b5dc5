// Frame of the login's pages: title, warning, problem, content, one line to type in, and hint.
import { Box, Text } from 'ink'
import type { ReactElement, ReactNode } from 'react'
import { Editor } from '../editor/editor.tsx'
import { bufferOf } from '../editor/text-buffer.ts'
import { useTheme } from '../hooks/use-theme.ts'
import type { KeyPress } from '../keys/key-press.ts'
import { cutToWidth, graphemes } from '../text/cell-width.ts'
import { span } from '../text/span.ts'

export interface LoginFrameProps {
  readonly title: string
  readonly warning?: string | undefined
  readonly problem?: string | undefined
  /** The typed text as it is shown; without it there is nothing to type. */
  readonly line?: string | undefined
  readonly hint: string
  /** Cells. */
  readonly columns: number
  readonly children?: ReactNode
}

export function LoginFrame(props: LoginFrameProps): ReactElement {
  const { title, warning, problem, line, hint, columns, children } = props
  const { paint } = useTheme()
  const editor = { prompt: '›', promptRole: 'accent', placeholder: '', hasCursor: true, rows: 1 } as const
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Text>{paint('heading', cutToWidth(title, columns - 1))}</Text>
      {warning !== undefined && <Text>{paint('warning', `! ${span(warning).text}`)}</Text>}
      {problem !== undefined && <Text>{paint('danger', `✗ ${span(problem).text}`)}</Text>}
      {children}
      {line !== undefined && <Editor {...editor} buffer={bufferOf(line)} columns={columns - 1} />}
      <Text>{paint('dim', hint)}</Text>
    </Box>
  )
}

/** The text after a key of the line, which has no spaces; undefined for any other key. */
export function editLoginLine(typed: string, press: KeyPress): string | undefined {
  if (press.kind !== 'key') return typed + press.text.replace(/\s+/g, '')
  if (press.name === 'backspace') return graphemes(typed).slice(0, -1).join('')
  return press.name === 'ctrl+u' ? '' : undefined
}
