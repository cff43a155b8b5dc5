// Formats the exact subject of an approval: the command, every other argument, and the diff.
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { spanLines } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { wrapLine } from '../text/wrap-line.ts'
import { isRecord } from '../../../lib/streams/values/json.ts'

type Request = Pick<EventNamed<'ui_request'>, 'args' | 'diff' | 'text'>

/** Wraps to `columns` cells; omits nothing. */
export function exactLines({ args, diff }: Request, columns: number): Line[] {
  const { command, ...rest } = isRecord(args) ? args : { command: undefined, args }
  const others = isRecord(args) ? rest : args
  const lines = [
    ...(typeof command === 'string' ? commandLines(command, '$ ') : []),
    ...(typeof command === 'string' ? otherLines(others) : jsonLines(args)),
    ...(diff === undefined ? [] : diffLines(diff)),
  ]
  return lines.flatMap((line) => wrapLine(line, { columns, rest: [{ text: '  ', roles: [] }] }))
}

function commandLines(command: string, first: string): Line[] {
  return spanLines(command, 'code').map((line, index) => [
    { text: index === 0 ? first : ' '.repeat(first.length), roles: ['dim'] },
    ...line,
  ])
}

function otherLines(others: unknown): Line[] {
  return isRecord(others) && Object.keys(others).length > 0 ? jsonLines(others) : []
}

function jsonLines(value: unknown): Line[] {
  return value === undefined ? [] : spanLines(JSON.stringify(value, undefined, 2), 'code')
}

function diffLines(diff: string): Line[] {
  return diff
    .split('\n')
    .flatMap((line) => spanLines(line, line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'dim'))
}
