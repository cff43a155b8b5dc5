// Formats every item of the view as lines, the same for live and finished items.
import { codeLines } from '../markdown/code-lines.ts'
import { commandLines } from '../markdown/command-line.ts'
import { markdownLines } from '../markdown/markdown-lines.ts'
import { paintLine, span, spanLines } from '../text/span.ts'
import type { Line, Span } from '../text/span.ts'
import { cutToWidth } from '../text/cell-width.ts'
import { widthOf, wrapLine } from '../text/wrap-line.ts'
import type { Theme } from '../theme/theme.ts'
import { foldMentions } from '../../../lib/streams/messages/mentions.ts'
import type {
  BashItem,
  NoticeItem,
  SummaryItem,
  TextItem,
  ThinkingItem,
  UserItem,
  ViewItem,
} from '../view/view-item.ts'
import { renderedLines } from './rendered-lines.ts'
import { shortenLines, toolLines } from './tool-lines.ts'
import { countOf } from '../../../lib/streams/values/count-of.ts'

export interface DrawOptions {
  /** Cells. */
  readonly columns: number
  readonly theme: Theme
  /** Shows thinking in full. */
  readonly showsThinking: boolean
  /** Shows tool output in full. */
  readonly isExpanded: boolean
  /** Label of the key that opens the whole output of a call; absent if no key does. */
  readonly openKey?: string | undefined
}

/** Lines with styles, for the terminal. */
export function itemLines(item: ViewItem, options: DrawOptions): string[] {
  return linesOf(item, options).map((line) => paintLine(line, options.theme))
}

function linesOf(item: ViewItem, options: DrawOptions): Line[] {
  const { columns, isExpanded, openKey } = options
  switch (item.kind) {
    case 'user':
      return [[], ...userLines(item, options).map((line) => onBackground(line, options))]
    case 'text':
      return textLines(item, columns)
    case 'thinking':
      return thinkingLines(item, options)
    case 'tool':
      return [[], ...toolLines(item, { columns, isExpanded, openKey })]
    case 'bash':
      return [[], ...bashLines(item, columns)]
    case 'notice':
      return noticeLines(item, columns)
    case 'rendered':
      return [[], ...renderedLines(item.nodes, columns)]
    case 'welcome':
      return [
        [],
        ...[[span(item.title, 'strong')], ...item.lines.map((line) => [span(line, 'dim')])].flatMap((line) =>
          wrapIndented(line, columns),
        ),
      ]
    case 'runEnd':
      return [[], ...wrapIndented([span(item.text, 'dim')], columns)]
    case 'summary':
      return [[], ...summaryLines(item, options)]
  }
}

/** Rows of a summary that is not expanded. */
const summaryRows = 5

/** The title, and the summary as far as it is not folded. */
export function summaryLines(
  { title, text, hint }: SummaryItem,
  { columns, isExpanded, openKey }: Pick<DrawOptions, 'columns' | 'isExpanded' | 'openKey'>,
): Line[] {
  const head = wrapLine([span(title, 'strong')], { columns, first: [span('── ', 'dim')], rest: [span('   ')] })
  const lines = markdownLines(text, columns - 2)
  const folded = isExpanded
    ? lines
    : shortenLines(lines, { rows: summaryRows, side: 'first', columns: columns - 2, openKey })
  const advice = hint === undefined ? [] : wrapIndented([span(hint, 'dim')], columns)
  return [...head, ...markLines(folded, span('  ')), ...advice]
}

/** Rows of a message of the user that is not expanded: a long paste would push the conversation off the screen. */
const messageRows = 40

function userLines({ text, images, wasQueued }: UserItem, { columns, isExpanded }: DrawOptions): Line[] {
  const room = columns - 2
  const pictures = images === 0 ? [] : [[span(`[${countOf(images, 'picture')}]`, 'dim')]]
  const queued = wasQueued ? wrapLine([span('(sent during the run)', 'dim')], { columns: room }) : []
  const words = spanLines(foldMentions(text), 'user').flatMap((line) => wrapLine(line, { columns: room }))
  const rows = isExpanded ? Infinity : messageRows
  const folded = shortenLines(words, { rows, side: 'first', columns: room, openKey: undefined })
  return markLines([...folded, ...pictures, ...queued], span('› ', 'accent'))
}

/** Fills the row, if the theme has backgrounds. */
function onBackground(line: Line, { theme, columns }: DrawOptions): Line {
  if (!theme.hasBackground || columns > widestBackground) return line
  const rest = ' '.repeat(Math.max(0, columns - widthOf(line)))
  return [...line, span(rest)].map(({ text, roles }) => ({ text, roles: ['prompt', ...roles] }))
}

/** Cells; a screen reader has no use for more. */
const widestBackground = 1_000

function textLines({ source, codeOf, hasGap, isFirst }: TextItem, columns: number): Line[] {
  const room = columns - 2
  const lines =
    codeOf === undefined
      ? markdownLines(source, room)
      : codeLines(source.replace(/\n$/, ''), codeOf).flatMap((line) => wrapIndented(line, room))
  const gap: Line[] = hasGap && codeOf === undefined ? [[]] : []
  return [...gap, ...markLines(lines.length === 0 ? [[]] : lines, isFirst ? span('● ', 'accent') : span('  '))]
}

function wrapIndented(line: Line, columns: number): Line[] {
  return wrapLine(line, { columns, first: [span('  ')], rest: [span('  ')] })
}

/** Lines after a mark, the others indented. */
function markLines(lines: readonly Line[], mark: Span): Line[] {
  return lines.map((line, index) =>
    line.length === 0 && index > 0 ? line : [index === 0 ? mark : span('  '), ...line],
  )
}

function thinkingLines(item: ThinkingItem, { columns, showsThinking }: DrawOptions): Line[] {
  const { text, tail, redacted, isOpen } = item
  if (!redacted && !isOpen && text.trim() === '') return [] // signed or encrypted alone
  if (redacted || showsThinking) {
    const lines = redacted ? secretThinking : spanLines(text.trim(), 'dim', 'emphasis')
    return [
      [],
      ...lines.flatMap((line, index) =>
        wrapLine(line, { columns, first: [span(index === 0 ? '∴ ' : '  ', 'dim')], rest: [span('  ')] }),
      ),
    ]
  }
  if (!isOpen) return [[], [span('∴ ', 'dim'), span(cutToWidth(firstLine(text), columns - 2), 'dim')]]
  return [[], [span('∴ thinking ', 'dim'), span(cutToWidth(lastLine(tail), columns - 11), 'dim')]]
}

const secretThinking: readonly Line[] = [[span('thinking, kept secret by the provider', 'dim')]]

function firstLine(text: string): string {
  const trimmed = text.trimStart()
  const end = trimmed.indexOf('\n')
  return span(end === -1 ? trimmed : `${trimmed.slice(0, end)} …`).text
}

function lastLine(text: string): string {
  return span(text.trimEnd().split('\n').at(-1) ?? '').text
}

/** A command of the user with its output. */
export function bashLines(item: BashItem, columns: number): Line[] {
  const { command, output, exitCode = 0, isExcluded, isOpen = false, isCancelled = false } = item
  const mark = isExcluded ? '!! ' : '! '
  const head = commandLines(command).flatMap((line, index) =>
    wrapLine(line, { columns, first: [span(index === 0 ? mark : '  ', 'accent')], rest: [span('  ')] }),
  )
  const text = output.trimEnd()
  const lines = text === '' ? [] : spanLines(text, 'dim')
  const body = isOpen ? lines.slice(-8) : lines
  const words = isCancelled ? 'stopped' : exitCode === 0 ? '' : `exit ${exitCode}`
  const end = words === '' ? [] : [[span(words, 'danger')]]
  return [...head, ...[...body, ...end].flatMap((line) => wrapIndented(line, columns))]
}

function noticeLines({ level, text, hint }: NoticeItem, columns: number): Line[] {
  const { mark, role } = notices[level]
  const lines = spanLines(text, role)
  const advice = hint === undefined ? [] : spanLines(hint, 'dim')
  return [
    [],
    ...[...lines, ...advice].flatMap((line, index) =>
      wrapLine(line, { columns, first: [span(index === 0 ? mark : '  ', role)], rest: [span('  ')] }),
    ),
  ]
}

const notices = {
  info: { mark: '· ', role: 'dim' },
  success: { mark: '✓ ', role: 'success' },
  stopped: { mark: '■ ', role: 'warning' },
  warning: { mark: '! ', role: 'warning' },
  error: { mark: '✗ ', role: 'danger' },
} as const
