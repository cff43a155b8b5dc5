// Draws a question: its source, the exact text, the choices, and the remaining time.
import { Box, Text } from 'ink'
import { useMemo } from 'react'
import type { ReactElement } from 'react'
import { useTheme } from '../hooks/use-theme.ts'
import { settleMs } from '../keys/use-settled-keys.ts'
import { windowOf } from '../lists/list-state.ts'
import { cutToWidth } from '../text/cell-width.ts'
import { paintLine, span } from '../text/span.ts'
import type { Choice, Picked } from './choices.ts'
import type { QuestionContent } from './question-content.ts'
import { TextLine } from './text-line.tsx'
import { useCountdown, useQuestion } from './use-question.ts'

export interface QuestionProps {
  readonly content: QuestionContent
  /** Cells. */
  readonly columns: number
  /** Lines. */
  readonly height: number
  readonly onPick: (picked: Picked) => void
}

/** Lines of the frame, the head, the position and the time. */
const fixedRows = 5
const leastLines = 3
/** Maximum of drawn choices, and of rows of a typed text. */
const maxChoices = 8
const maxTypedRows = 4

export function Question({ content, columns, height, onPick }: QuestionProps): ReactElement {
  const theme = useTheme()
  const { choices, isApproval } = content
  const inner = Math.max(10, columns - 4)
  const lines = useMemo(() => content.lines(inner), [content, inner])
  const listed = Math.max(2, Math.min(choices.length, maxChoices, height - fixedRows - leastLines))
  const room = Math.max(leastLines, height - fixedRows - Math.min(choices.length, listed))
  const { selected, top, typing, submitText } = useQuestion({ content, count: lines.length, room, onPick })
  const left = useCountdown(content.timeoutMs)
  const isTyping = typing !== undefined || choices.length === 0
  const typedRows = Math.max(1, Math.min(maxTypedRows, height - fixedRows - leastLines - 2))
  const visible = isTyping ? Math.max(1, height - fixedRows - typedRows - 2) : room
  const shown = lines.slice(top, top + visible)
  const position = `lines ${top + 1}–${top + shown.length} of ${lines.length} · PageUp, PageDown`
  const head = theme.paint(isApproval ? 'danger' : 'heading', cutToWidth(content.head, inner))
  const time = left === undefined ? '' : span(`${left} s left; then the answer is ${content.unanswered}`).text
  return (
    <Box flexDirection="column" width={columns} borderStyle={isApproval ? 'double' : 'single'} paddingX={1}>
      <Text wrap="truncate">{head}</Text>
      <Text>{shown.map((line) => paintLine(line, theme)).join('\n')}</Text>
      {lines.length > visible && <Text wrap="truncate">{theme.paint('warning', cutToWidth(position, inner))}</Text>}
      {isTyping ? (
        <TextLine
          title={typing?.typed?.title ?? 'Your answer'}
          initial={typing?.typed?.initial ?? ''}
          isMultiline={typing?.typed?.isMultiline ?? false}
          columns={inner}
          rows={typedRows}
          settleMs={typing === undefined ? settleMs : 0}
          onDone={submitText}
          onCancel={() => {
            submitText(undefined)
          }}
        />
      ) : (
        <ChoiceRows choices={choices} selected={selected} columns={inner} rows={listed} />
      )}
      {time !== '' && <Text wrap="truncate">{theme.paint('warning', cutToWidth(time, inner))}</Text>}
    </Box>
  )
}

interface ChoiceRowsProps {
  readonly choices: readonly Choice[]
  readonly selected: number
  readonly columns: number
  readonly rows: number
}

function ChoiceRows({ choices, selected, columns, rows }: ChoiceRowsProps): ReactElement {
  const theme = useTheme()
  const { from, to } = windowOf(choices.length, selected, rows)
  return (
    <>
      {choices.slice(from, to).map(({ label, letter }, index) => {
        const isChosen = from + index === selected
        const key = letter === undefined ? '' : ` (${letter})`
        const mark = isChosen ? '›' : ' '
        const text = `${cutToWidth(`${mark} ${span(label).text}`, columns - key.length)}${key}`
        return (
          <Text key={from + index} wrap="truncate">
            {isChosen ? theme.paint('selected', text) : text}
          </Text>
        )
      })}
    </>
  )
}
