// Draws the wrapped text and sets the terminal's cursor at the insertion point, for input methods.
import { Box, Text } from 'ink'
import { useRef } from 'react'
import type { ReactElement } from 'react'
import { useTheme } from '../hooks/use-theme.ts'
import { useTypingCursor } from '../hooks/use-typing-cursor.ts'
import { cutToWidth } from '../text/cell-width.ts'
import type { Role } from '../theme/theme.ts'
import { layoutText } from './layout-text.ts'

import type { TextBuffer } from './text-buffer.ts'

/** Width of the prompt in cells. */
export const promptWidth = 2

export interface EditorProps {
  readonly buffer: TextBuffer
  /** Sign before the first row, one cell wide. */
  readonly prompt: string
  readonly promptRole: Role
  /** Shown if the editor is empty. */
  readonly placeholder: string
  /** False if another component has the cursor. */
  readonly hasCursor: boolean
  /** Cells, at least 20; `rows` at least 1. A longer text scrolls. */
  readonly columns: number
  readonly rows: number
}

export function Editor({
  buffer,
  prompt,
  promptRole,
  placeholder,
  hasCursor,
  columns,
  rows,
}: EditorProps): ReactElement {
  const { paint } = useTheme()
  const layout = layoutText(buffer, columns - promptWidth)
  const top = useScrolled(layout.cursor.row, layout.rows.length, rows)
  const column = promptWidth + layout.cursor.column
  const box = useTypingCursor(hasCursor ? { x: column, y: layout.cursor.row - top } : undefined)
  const lines = layout.rows.slice(top, top + rows).map(({ pieces }, index) => {
    const row = top + index
    const text = pieces.map((piece) => (piece.isChip ? paint('accent', piece.text) : piece.text)).join('')
    return markOf(row, index) + text
  })
  function markOf(row: number, index: number): string {
    if (index === 0 && row > 0) return paint('dim', '↑ ')
    if (index === rows - 1 && row < layout.rows.length - 1) return paint('dim', '↓ ')
    return row === 0 ? paint(promptRole, `${prompt} `) : '  '
  }
  const hint = buffer.units.length === 0 ? paint('dim', cutToWidth(placeholder, columns - promptWidth - 1)) : ''
  return (
    <Box ref={box} flexShrink={0}>
      <Text>{lines.join('\n') + hint}</Text>
    </Box>
  )
}

/** First visible row; changes only to keep the cursor visible. */
function useScrolled(cursor: number, total: number, room: number): number {
  const last = useRef(0)
  const lowest = Math.max(0, Math.min(cursor, total - room))
  last.current = Math.min(Math.max(last.current, cursor - room + 1), lowest)
  return last.current
}
