// One line that says how things stand: model, folder, what the conversation takes, and whether the server is there.
import { Text } from 'ink'
import type { ReactElement } from 'react'
import { useTheme } from '../hooks/use-theme.ts'
import { painted, span } from '../text/span.ts'
import { cutToWidth } from '../text/cell-width.ts'
import type { View } from '../view/view.ts'

export interface StatusLineProps {
  readonly view: View
  /** Cells. */
  readonly columns: number
}

export function StatusLine({ view, columns }: StatusLineProps): ReactElement {
  const { model, session, connection, running } = view
  const theme = useTheme()
  const text = [model, session?.cwd, running && 'running', connection].filter(Boolean).join(' · ')
  return <Text>{painted([span(cutToWidth(text, columns - 2), 'dim')], theme)}</Text>
}
