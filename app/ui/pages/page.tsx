// A page of text in place of the editor: wrapped, scrolled by list keys, closed by Enter or Esc.
import { Box, Text } from 'ink'
import { useMemo, useState } from 'react'
import type { ReactElement } from 'react'
import { useTheme } from '../hooks/use-theme.ts'
import type { KeyPress } from '../keys/key-press.ts'
import { useListKeys } from '../keys/use-keys.ts'
import { cutToWidth } from '../text/cell-width.ts'
import { paintLine, span } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { widthOf, wrapLine } from '../text/wrap-line.ts'

export interface PageProps {
  readonly title: string
  readonly lines: readonly Line[]
  /** Cells. */
  readonly columns: number
  /** Maximum of rows, at least 4. */
  readonly height: number
  /** Shows the end, also of lines that come later, until the user scrolls up. */
  readonly isFollowing?: boolean
  /** Further keys, for the foot. */
  readonly foot?: string
  readonly onClose: () => void
  /** Called for each key that the page does not use itself. */
  readonly onOtherKey?: (press: KeyPress) => void
}

export function Page({
  title,
  lines,
  columns,
  height,
  foot,
  onClose,
  onOtherKey,
  isFollowing = false,
}: PageProps): ReactElement {
  const theme = useTheme()
  const rows = useMemo(
    () => lines.flatMap((line) => (widthOf(line) < columns ? [line] : wrapLongLine(line, columns - 1))),
    [lines, columns],
  )
  const room = Math.max(1, height - 2)
  const [offset, setTop] = useState(isFollowing ? Infinity : 0)
  const lowest = Math.max(0, rows.length - room)
  const top = Math.min(offset, lowest)
  const go = (by: number): void => {
    // one chunk of input may hold several keys
    setTop((before) => {
      const next = Math.max(0, Math.min(lowest, Math.min(before, lowest) + by))
      return isFollowing && next === lowest ? Infinity : next
    })
  }
  useListKeys((action, press) => {
    if (action === 'listCancel' || action === 'listAccept') onClose()
    else if (action === 'listUp') go(-1)
    else if (action === 'listDown') go(1)
    else if (action === 'listPageUp') go(-room)
    else if (action === 'listPageDown' || (press.kind === 'text' && press.text === ' ')) go(room)
    else if (press.kind === 'key' && press.name === 'home') go(-lowest)
    else if (press.kind === 'key' && press.name === 'end') go(lowest)
    else onOtherKey?.(press)
  }, true)
  const shown = rows.slice(top, top + room)
  const position = rows.length > room ? `${top + 1}–${top + shown.length} of ${rows.length} · up and down move · ` : ''
  const further = foot === undefined ? '' : `${foot} · `
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Text>{theme.paint('heading', cutToWidth(span(title).text, columns - 1))}</Text>
      <Text>{shown.map((line) => paintLine(line, theme)).join('\n')}</Text>
      <Text>{theme.paint('dim', cutToWidth([position, further, 'Esc closes'].join(''), columns - 1))}</Text>
    </Box>
  )
}

/** A continued line is indented. */
function wrapLongLine(line: Line, columns: number): Line[] {
  return wrapLine(line, { columns, rest: [span('    ')] })
}
