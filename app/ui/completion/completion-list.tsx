// Draws the suggestions below the editor; marks the chosen one with a sign, not with colour alone.
import { Box, Text } from 'ink'
import type { ReactElement } from 'react'
import { useTheme } from '../hooks/use-theme.ts'
import { cellWidth, cutToWidth } from '../text/cell-width.ts'
import { span } from '../text/span.ts'
import type { Completion } from './use-completion.ts'

export interface CompletionListProps {
  readonly completion: Pick<Completion, 'suggestions' | 'chosen'>
  /** Cells. */
  readonly columns: number
  /** Maximum of visible suggestions. */
  readonly rows: number
}

export function CompletionList({
  completion: { suggestions, chosen },
  columns,
  rows,
}: CompletionListProps): ReactElement {
  const { paint } = useTheme()
  const top = Math.max(0, Math.min(chosen - rows + 1, suggestions.length - rows))
  const shown = suggestions.slice(top, top + rows)
  const isDescribed = shown.some(({ description = '' }) => description !== '')
  const room = isDescribed ? Math.max(12, Math.floor(columns * 0.6)) : columns - 4
  const widest = Math.min(Math.max(...shown.map(({ label }) => cellWidth(span(label).text))), room)
  const lines = shown.map(({ label, description = '' }, index) => {
    const isChosen = top + index === chosen
    const name = cutToWidth(span(label).text, room)
    const gap = ' '.repeat(Math.max(0, widest - cellWidth(name)) + 2)
    const about = cutToWidth(span(description).text, columns - widest - 7)
    return `${isChosen ? paint('accent', '❯') : ' '} ${paint(isChosen ? 'accent' : 'plain', name)}${about === '' ? '' : gap + paint('dim', about)}`
  })
  const more = suggestions.length - rows
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Text>{lines.join('\n')}</Text>
      {more > 0 && <Text>{paint('dim', `  ${chosen + 1} of ${suggestions.length}`)}</Text>}
    </Box>
  )
}
