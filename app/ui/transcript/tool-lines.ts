// Formats a tool call as a card: title, state and time, then the relevant part of its output.
import { previewStart } from '../../../lib/streams/values/display-text.ts'
import type { UserContent } from '../../../lib/streams/messages/message.ts'
import { countOf } from '../../../lib/streams/values/count-of.ts'
import { terminalSafe } from '../../process/terminal-safe.ts'
import { cellWidth, cutToWidth } from '../text/cell-width.ts'
import { duration } from '../text/duration.ts'
import { span } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { commandLines } from '../markdown/command-line.ts'
import { cutLine, widthOf, wrapLine } from '../text/wrap-line.ts'
import type { ToolItem } from '../view/view-item.ts'
import { countChanges, formatChanges } from '../text/count-changes.ts'
import { renderedLines } from './rendered-lines.ts'
import { diffLines } from './diff-lines.ts'

export interface ToolLinesOptions {
  /** Cells. */
  readonly columns: number
  /** Shows the whole output. */
  readonly isExpanded: boolean
  /** Label of the key that opens the whole output; absent if no key does. */
  readonly openKey?: string | undefined
}

/** Rows of output and of a diff on a card that is not expanded. */
const outputRows = 5
const diffRows = 16

export function toolLines(item: ToolItem, options: ToolLinesOptions): Line[] {
  return [headLine(item, options.columns), ...bodyLines(item, options)]
}

/** Minimum of cells of the title before other words become shorter. */
const leastTitle = 8

/** At most `columns` cells. If they are few, the words of the end become shorter, then the name, last the title. */
function headLine(item: ToolItem, columns: number): Line {
  const title = titleLine(item)
  const ends = endLines(item)
  const needed = Math.min(leastTitle, widthOf(title))
  const isWide = (front: Line, end: Line): boolean => widthOf([...front, ...end]) + needed > columns
  const shortest = ends.at(-1) ?? []
  const whole = [markOf(item), span(`${item.name} `, 'strong')]
  const front = isWide(whole, shortest) ? shortFront(item, columns, shortest) : whole
  const end = ends.find((each) => !isWide(front, each)) ?? shortest
  return cutLine([...front, ...cutLine(title, columns - widthOf([...front, ...end])), ...end], columns)
}

/** Mark and name: the name gets half of the line, or what the end leaves of it. */
function shortFront(item: ToolItem, columns: number, end: Line): Line {
  const mark = markOf(item)
  const room = Math.min(Math.floor(columns / 2), columns - widthOf([mark, ...end]) - 1)
  return [mark, ...cutLine([span(item.name, 'strong')], room), span(' ')]
}

function titleLine(item: ToolItem): Line {
  const title = terminalSafe(toolTitle(item)).replace(/\s+/g, ' ')
  const words = item.name === 'bash' && item.state !== 'writing' ? commandLines(title)[0] : undefined
  return words ?? [span(title)]
}

function markOf({ state, isError }: ToolItem) {
  if (state !== 'done') return span(state === 'running' ? '◐ ' : '○ ', 'accent')
  return isError ? span('✗ ', 'danger') : span('✓ ', 'success')
}

/** State and outcome, in full and shorter. */
function endLines(item: ToolItem): Line[] {
  return endWords(item).map((words) => (words === '' ? [] : [span(` · ${words}`, item.isError ? 'danger' : 'dim')]))
}

/** The longest first. */
function endWords(item: ToolItem): readonly string[] {
  const { state, durationMs, progressPercent, argumentsLength } = item
  switch (state) {
    case 'writing': {
      const long = [`writing, ${argumentsLength} characters so far`, `writing, ${argumentsLength}`]
      return [...(argumentsLength > 200 ? long : []), 'writing']
    }
    case 'waiting':
      return ['waiting']
    case 'running':
      return [progressPercent === undefined ? '' : `${Math.round(progressPercent)} %`]
    case 'done': {
      const took = durationMs === undefined ? undefined : duration(durationMs)
      const changes = countChanges(item.details)
      const words = [item.isError ? failedWords(item) : undefined, changes && formatChanges(changes), took].filter(
        (each) => each !== undefined,
      )
      return words.length === 0 ? [''] : words.map((_, left) => words.slice(0, words.length - left).join(' · '))
    }
  }
}

function failedWords({ details }: ToolItem): string {
  const { exitCode, timedOut }: Partial<Record<string, unknown>> = { ...(typeof details === 'object' ? details : {}) }
  if (timedOut === true) return 'timed out'
  return typeof exitCode === 'number' ? `exit ${exitCode}` : 'failed'
}

function bodyLines(item: ToolItem, { columns, isExpanded, openKey }: ToolLinesOptions): Line[] {
  if (item.state === 'running') return tailLines(item.tail, columns, isExpanded ? 20 : outputRows)
  if (item.state !== 'done') return []
  const { nodes } = item
  const room = columns - 2
  const diffLimit = isExpanded ? Infinity : diffRows
  if (nodes !== undefined)
    return [
      ...shortenLines(renderedLines(nodes, columns), {
        rows: diffLimit,
        side: 'first',
        columns,
        openKey,
      }),
    ]
  const diff = diffLines(item.details, room)
  if (diff.length > 0 && !item.isError)
    return shortenLines(diff, { rows: diffLimit, side: 'first', columns: room, openKey }).map(indentLine)
  const text = textOf(item.content)
  if (text.trim() === '' || (isQuiet(item) && !isExpanded)) return []
  const role = item.isError ? 'danger' : 'dim'
  const lines = terminalSafe(text.trimEnd())
    .split('\n')
    .map((line): Line => [{ text: line.replaceAll('\t', '    '), roles: [role] }])
  if (isExpanded) return lines.flatMap((line) => wrapLine(line, { columns, first: [span('  ')], rest: [span('  ')] }))
  const side = item.name === 'bash' ? 'last' : 'first'
  const shown = shortenLines(lines, { rows: outputRows, side, columns: room, openKey })
  return shown.map((line) => indentLine(cutLine(line, room)))
}

/** Content that was read is in the file; its name is enough. */
function isQuiet({ name, isError }: ToolItem): boolean {
  return name === 'read' && !isError
}

function tailLines(tail: string, columns: number, rows: number): Line[] {
  if (tail.trim() === '') return []
  const lines = terminalSafe(tail.trimEnd()).split('\n')
  return lines
    .slice(-rows)
    .map((line) => [span('  '), span(cutToWidth(line.replaceAll('\t', '    '), columns - 2), 'dim')])
}

interface Shortening {
  readonly rows: number
  readonly side: 'first' | 'last'
  /** Cells of the line that counts the hidden ones; it omits the key if it does not fit. */
  readonly columns: number
  readonly openKey: string | undefined
}

export function shortenLines(lines: readonly Line[], { rows, side, columns, openKey }: Shortening): readonly Line[] {
  if (lines.length <= rows + 1) return lines
  const count = `… ${lines.length - rows} lines more`
  const key = openKey === undefined ? '' : ` · ${openKey} opens`
  const left = span(cellWidth(count + key) > columns ? cutToWidth(count, columns) : count + key, 'dim')
  return side === 'first' ? [...lines.slice(0, rows), [left]] : [[left], ...lines.slice(-rows)]
}

function indentLine(line: Line): Line {
  return [span('  '), ...line]
}

function textOf(content: readonly UserContent[]): string {
  return content
    .map((part) => (part.type === 'text' ? part.text : `[picture: ${previewStart(part.mimeType)}]`))
    .join('\n')
}

/** Title of a call: a command, a path, or its arguments. */
function toolTitle({ name, args, argumentsText }: Pick<ToolItem, 'name' | 'args' | 'argumentsText'>): string {
  if (args === undefined) return partialTitle(argumentsText)
  const argument: Readonly<Record<string, unknown>> = typeof args === 'object' && args !== null ? { ...args } : {}
  const { command, path, pattern, url, query, question, items, offset, limit } = argument
  if (name === 'read' && typeof path === 'string') return `${path}${lineRange(offset, limit)}`
  if (name === 'todo' && Array.isArray(items)) return countOf(items.length, 'step')
  const words = [command, pattern, query, path, url, question].filter((value) => typeof value === 'string')
  if (words.length > 0) return words.join(' ')
  return Object.keys(argument).length === 0 ? '' : JSON.stringify(argument)
}

/** While arguments arrive: the first useful text in them. */
function partialTitle(text: string): string {
  const [, value] = /"(?:command|path|pattern|url|query|question)"\s*:\s*"((?:[^"\\]|\\.)*)/.exec(text) ?? []
  return value === undefined ? '' : value.replace(/\\n/g, ' ').replace(/\\(.)/g, '$1')
}

function lineRange(offset: unknown, limit: unknown): string {
  const first = typeof offset === 'number' ? offset : 1
  if (typeof limit === 'number') return ` · lines ${first}–${first + limit - 1}`
  return typeof offset === 'number' ? ` · from line ${first}` : ''
}
