// Draws the queued inputs: steering joins the run after its tools, a follow-up at its end.
import { Text } from 'ink'
import type { ReactElement } from 'react'
import { typedText } from '../../../lib/streams/messages/message-text.ts'
import { useTheme } from '../hooks/use-theme.ts'
import { windowOf } from '../lists/list-state.ts'
import { cellWidth, cutToWidth } from '../text/cell-width.ts'
import { paintLine, span } from '../text/span.ts'
import type { View } from '../view/view.ts'

export interface QueueLinesProps {
  readonly queue: View['queue']
  /** The one that is being edited. */
  readonly editing?: string | undefined
  readonly isRunning: boolean
  /** Cells. */
  readonly columns: number
}

/** Maximum of shown inputs; the others are counted. */
const maxShown = 4

export function QueueLines({ queue, editing, isRunning, columns }: QueueLinesProps): ReactElement | null {
  const theme = useTheme()
  if (queue.length === 0) return null
  const { from, to } = windowOf(
    queue.length,
    queue.findIndex(({ queueId }) => queueId === editing),
    maxShown,
  )
  const lines = queue.slice(from, to).map((input) => {
    const { queue: kind, queueId } = input
    const text = shortText(input)
    const mark = kind === 'steering' ? 'after this step: ' : 'when done: '
    const shown = queueId === editing ? 'edited below' : span(text).text
    return paintLine(
      [span(mark, 'accent'), span(cutToWidth(shown, Math.max(1, columns - cellWidth(mark) - 1)), 'dim')],
      theme,
    )
  })
  const rest = queue.length > maxShown ? [paintLine([span(`  … ${queue.length - maxShown} more`, 'dim')], theme)] : []
  const still = isRunning
    ? []
    : [paintLine([span('  Queued until your next message; nothing is sent automatically', 'dim')], theme)]
  return <Text>{[...lines, ...rest, ...still].join('\n')}</Text>
}

/** The typed text, and pictures as words. */
function shortText({ content, invocation }: View['queue'][number]): string {
  if (invocation !== undefined) return typedText(invocation)
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : '[picture]')).join(' ')
}

/** Number of rows. */
export function queueRows({ queue, isRunning }: Pick<QueueLinesProps, 'queue' | 'isRunning'>): number {
  if (queue.length === 0) return 0
  return Math.min(queue.length, maxShown) + (queue.length > maxShown ? 1 : 0) + (isRunning ? 0 : 1)
}
