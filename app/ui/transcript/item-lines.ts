// Every item is drawn as lines that fit the terminal: the same lines while it is live and when it is finished.
import { firstWords } from '../../../lib/streams/first-words.ts'
import { painted, span, spanLines } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { wrapLine } from '../text/wrap-line.ts'
import type { Theme } from '../theme/theme.ts'
import type { NoticeItem, ViewItem } from '../view/view-item.ts'

export interface DrawOptions {
  /** Cells. */
  readonly columns: number
  readonly theme: Theme
  /** Thinking is shown whole. */
  readonly showsThinking: boolean
}

/** Lines as they are written to the terminal. */
export function itemLines(item: ViewItem, options: DrawOptions): string[] {
  return drawn(item, options).map((line) => painted(line, options.theme))
}

function drawn(item: ViewItem, { columns, showsThinking }: DrawOptions): Line[] {
  const wrapped = (lines: readonly Line[], first: Line, rest: Line): Line[] =>
    lines.flatMap((line, index) => wrapLine(line, { columns, first: index === 0 ? first : rest, rest }))
  switch (item.kind) {
    case 'user':
      return [[], ...wrapped(spanLines(item.text, 'user'), [span('› ', 'accent')], [span('  ')])]
    case 'text':
      return [
        ...(item.hasGap ? [[]] : []),
        ...wrapped(spanLines(item.source.trimEnd()), [span(item.isFirst ? '● ' : '  ')], [span('  ')]),
      ]
    case 'thinking': {
      if (showsThinking) return [[], ...wrapped(spanLines(item.text, 'dim'), [span('∴ ', 'dim')], [span('  ')])]
      return [[], [span(`∴ thinking ${firstWords(item.tail)}`, 'dim')]]
    }
    case 'tool':
      return [
        [],
        [
          span(
            `${item.state === 'done' ? (item.isError ? '✗' : '✓') : '…'} ${item.name} ${firstWords(JSON.stringify(item.args ?? ''))}`,
          ),
        ],
      ]
    case 'bash':
      return [[], [span(`$ ${item.command}`, 'strong')], ...spanLines(item.output)]
    case 'notice':
      return [
        [],
        ...wrapped(
          spanLines(`${item.text}${item.hint === undefined ? '' : `\n${item.hint}`}`, roles[item.level]),
          [span(marks[item.level], roles[item.level])],
          [span('  ')],
        ),
      ]
    case 'summary':
      return [
        [],
        [span(`── ${item.title}`, 'dim')],
        ...wrapped(spanLines(item.text, 'dim'), [span('  ')], [span('  ')]),
      ]
  }
}

const marks: Readonly<Record<NoticeItem['level'], string>> = { info: '· ', success: '✓ ', warning: '! ', error: '✗ ' }
const roles = { info: 'dim', success: 'success', warning: 'warning', error: 'danger' } as const
