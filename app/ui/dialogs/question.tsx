// Draws a question: its source, the exact text, the choices, and the remaining time.
import { Box, Text } from 'ink'
import type { ReactElement } from 'react'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { useTheme } from '../hooks/use-theme.ts'
import { settleMs } from '../keys/use-settled-keys.ts'
import { cutToWidth } from '../text/cell-width.ts'
import { paintLine, span, spanLines } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { wrapLine } from '../text/wrap-line.ts'
import { choicesOf } from './choices.ts'
import { exactLines } from './exact-lines.ts'
import { TextLine } from './text-line.tsx'
import { useCountdown } from './use-question.ts'
import { useQuestion } from './use-question.ts'
import { windowOf } from '../lists/list-state.ts'
import type { Choice } from './choices.ts'

export interface QuestionProps {
  readonly request: EventNamed<'ui_request'>
  /** Cells. */
  readonly columns: number
  /** Lines. */
  readonly height: number
  readonly onAnswer: (outcome: unknown, text?: string) => void
}

export function Question({ request, columns, height, onAnswer }: QuestionProps): ReactElement {
  const theme = useTheme()
  const inner = Math.max(10, columns - 4)
  const lines = questionLines(request, inner)
  const room = Math.max(3, height - 5 - Math.min(choicesOf(request).length, mostChoices))
  const { choices, selected, top, isTyping, submitText } = useQuestion({ request, count: lines.length, room, onAnswer })
  const left = useCountdown(request.timeoutMs)
  const shown = lines.slice(top, top + room)
  const position = `lines ${top + 1}–${top + shown.length} of ${lines.length} · PageUp, PageDown`
  const head = theme.paint(isCore(request) ? 'danger' : 'heading', cutToWidth(dialogHead(request), inner))
  return (
    <Box flexDirection="column" width={columns} borderStyle={isCore(request) ? 'double' : 'single'} paddingX={1}>
      <Text wrap="truncate">{head}</Text>
      <Text>{shown.map((line) => paintLine(line, theme)).join('\n')}</Text>
      {lines.length > room && <Text wrap="truncate">{theme.paint('warning', cutToWidth(position, inner))}</Text>}
      {isTyping ? (
        <TextLine
          title={request.kind === 'input' ? 'Your answer' : 'Message to the model'}
          columns={inner}
          settleMs={request.kind === 'input' ? settleMs : 0}
          onDone={submitText}
          onCancel={() => {
            submitText(undefined)
          }}
        />
      ) : (
        <ChoiceRows choices={choices} selected={selected} columns={inner} />
      )}
      {left !== undefined && (
        <Text wrap="truncate">{theme.paint('warning', cutToWidth(timeText(request, left), inner))}</Text>
      )}
    </Box>
  )
}

/** Lines of the question, wrapped to `columns` cells. */
function questionLines(request: EventNamed<'ui_request'>, columns: number): Line[] {
  const { text, tool, reason } = request
  const about = [tool, reason].filter((part) => part !== undefined).join(': ')
  const heading = [...spanLines(text, 'strong'), ...(about === '' ? [] : [[span(about, 'dim')]])]
  return [...heading.flatMap((line) => wrapLine(line, { columns })), ...exactLines(request, columns)]
}

function timeText({ kind, default: unanswered }: EventNamed<'ui_request'>, left: number): string {
  const then = kind === 'approval' || unanswered === undefined ? 'no' : JSON.stringify(unanswered)
  return `${left} s left; then the answer is ${then}`
}

// The heading names the source: no extension or tool can imitate an approval of rxpi.

type Request = Pick<EventNamed<'ui_request'>, 'kind' | 'source'>

/** True if rxpi itself asks. */
function isCore({ kind, source }: Request): boolean {
  return kind === 'approval' && source === 'core'
}

function dialogHead(request: Request): string {
  if (isCore(request)) return 'APPROVAL — rxpi asks before this runs'
  const { source } = request
  if (source === 'core' || source === 'host') return 'A question'
  const tool = /^tool:(.*)$/s.exec(source)?.[1]
  return tool === undefined ? `The extension “${span(source).text}” asks` : `The tool “${span(tool).text}” asks`
}

// Draws the choices, one a line, with a pointer at the selected one.

/** Maximum of lines. */
const mostChoices = 8

interface ChoiceRowsProps {
  readonly choices: readonly Choice[]
  readonly selected: number
  readonly columns: number
}

function ChoiceRows({ choices, selected, columns }: ChoiceRowsProps): ReactElement {
  const theme = useTheme()
  const { from, to } = windowOf(choices.length, selected, mostChoices)
  return (
    <>
      {choices.slice(from, to).map(({ label, letter }, index) => {
        const isChosen = from + index === selected
        const key = letter === undefined ? '' : ` (${letter})`
        const text = cutToWidth(`${isChosen ? '›' : ' '} ${span(label).text}${key}`, columns)
        return (
          <Text key={from + index} wrap="truncate">
            {isChosen ? theme.paint('selected', text) : text}
          </Text>
        )
      })}
    </>
  )
}
