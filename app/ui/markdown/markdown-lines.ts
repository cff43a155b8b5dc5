// Formats Markdown as lines that fit the terminal; omits no text and shows HTML as text.
import Markdown from 'markdown-it'
import type { Token } from 'markdown-it'
import { span, spanLines } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { widthOf, wrapLine } from '../text/wrap-line.ts'
import { codeLines } from './code-lines.ts'
import { inlineLines } from './inline-lines.ts'
import { tableLines } from './table-lines.ts'
import type { TableRow } from './table-lines.ts'

/** A definition of a link draws nothing, and the part of an answer that uses it may be drawn without it: both stay text. */
const parser = new Markdown({ html: false, linkify: false }).disable('reference')
/** Accepts every scheme, because addresses are shown, not opened. */
parser.validateLink = () => true
/** Adds the cells beyond the head of a table to the last cell of their row: the parser drops them. */
parser.core.ruler.after('block', 'cells_beyond', ({ src, tokens }) => {
  if (!tokens.some(({ type }) => type === 'tr_open')) return
  const lines = src.split('\n')
  let cells: string[] = []
  for (const [index, { type, map }] of tokens.entries()) {
    if (type === 'tr_open') cells = cellsOf(lines[map?.[0] ?? lines.length] ?? '')
    if (type === 'td_open') cells.shift()
    const last = tokens[index - 2]
    if (type === 'tr_close' && tokens[index - 1]?.type === 'td_close' && last !== undefined && cells.length > 0)
      last.content = [last.content, ...cells].join(' | ').trimStart()
  }
})

/** Minimum width of a block in cells, however deep it is nested. */
const minColumns = 8

/** @param columns cells, at least 8: no line is wider */
export function markdownLines(source: string, columns: number): Line[] {
  const room = Math.max(minColumns, columns)
  // nested quotes and wide tables may exceed the width
  const fits = (line: Line): readonly Line[] => (widthOf(line) <= room ? [line] : wrapLine(line, { columns: room }))
  return blocks(parser.parse(source, {}), room).flatMap(fits)
}

/** Blocks in order, with a blank line between loose ones. */
function blocks(tokens: readonly Token[], room: number): Line[] {
  const columns = Math.max(minColumns, room)
  const lines: Line[] = []
  let wasTight = true
  for (const group of groups(tokens)) {
    const [first] = group
    if (first === undefined) continue
    if (!wasTight && !first.hidden) lines.push([])
    lines.push(...blockLines(first, group, columns))
    wasTight = first.hidden
  }
  return lines
}

/** Tokens of each block, from opening to closing. */
function* groups(tokens: readonly Token[]): Generator<readonly Token[]> {
  let depth = 0
  let begin = 0
  for (const [index, token] of tokens.entries()) {
    depth += token.nesting
    if (depth === 0) {
      yield tokens.slice(begin, index + 1)
      begin = index + 1
    }
  }
  if (begin < tokens.length) yield tokens.slice(begin)
}

function blockLines(first: Token, group: readonly Token[], columns: number): Line[] {
  const inner = group.slice(1, -1)
  switch (first.type) {
    case 'heading_open':
      return wrapLines(
        inner.flatMap((token) => inlineLines(token.children ?? [], ['heading'])),
        columns,
      )
    case 'paragraph_open':
      return wrapLines(
        inner.flatMap((token) => inlineLines(token.children ?? [])),
        columns,
      )
    case 'fence':
    case 'code_block':
      return fenceLines(first, columns)
    case 'bullet_list_open':
      return listLines(inner, columns, () => '• ')
    case 'ordered_list_open': {
      const start = Number(first.attrGet('start') ?? 1)
      return listLines(inner, columns, (index) => `${start + index}. `)
    }
    case 'blockquote_open':
      return blocks(inner, columns - 2).map((line) => [span('▏ ', 'dim'), ...line])
    case 'table_open':
      return tableLines(rowsOf(inner), columns)
    case 'hr':
      return [[span('─'.repeat(Math.min(columns, 40)), 'dim')]]
    default:
      return wrapLines(spanLines(first.content.trimEnd()), columns)
  }
}

function fenceLines({ content, info }: Token, columns: number): Line[] {
  const language = info.trim().split(/\s+/)[0] ?? ''
  return wrapLines(codeLines(content.replace(/\n$/, ''), language), columns, '  ')
}

/** Each item after its mark. */
function listLines(tokens: readonly Token[], columns: number, markOf: (index: number) => string): Line[] {
  return [...groups(tokens)].flatMap((item, index) => {
    const mark = markOf(index)
    const indent = ' '.repeat(mark.length)
    const lines = blocks(item.slice(1, -1), columns - mark.length)
    return (lines.length === 0 ? [[]] : lines).map((line, row) => [
      row === 0 ? span(mark, 'accent') : span(indent),
      ...line,
    ])
  })
}

function rowsOf(tokens: readonly Token[]): TableRow[] {
  const rows: { isHead: boolean; cells: Line[] }[] = []
  for (const token of tokens) {
    if (token.type === 'tr_open') rows.push({ isHead: false, cells: [] })
    if (token.type === 'inline') rows.at(-1)?.cells.push(inlineLines(token.children ?? []).flat())
    const row = rows.at(-1)
    if (token.type === 'th_open' && row !== undefined) row.isHead = true
  }
  return rows
}

/** Splits a row as the parser does; marks of quotes stand before it. */
function cellsOf(row: string): string[] {
  const cells = row
    .replace(/^[\s>]+/, '')
    .trimEnd()
    .split(/(?<!\\)\|/)
  if (cells[0] === '') cells.shift()
  if (cells.at(-1) === '') cells.pop()
  return cells.map((cell) => cell.replaceAll('\\|', '|').trim())
}

function wrapLines(lines: readonly Line[], columns: number, indent = ''): Line[] {
  const before = indent === '' ? [] : [span(indent)]
  return lines.flatMap((line) => wrapLine(line, { columns, first: before, rest: before }))
}
