// A text file's lines for a model, never more than both limits allow, with a last line that says how to go on wherever something is left.
import { textResult } from '../../streams/ports/tool.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'
import { truncateHead } from '../../streams/values/truncate.ts'
import type { Truncated } from '../../streams/values/truncate.ts'
import { FileProblem } from './file-problem.ts'
import { formatBytes } from '../shared/output-limits.ts'
import { outputLimits } from '../shared/output-limits.ts'
import { readWindow } from './read-window.ts'
import type { FileWindow, WindowFile } from './read-window.ts'
import { shellQuote } from '../shared/shell-quote.ts'

export interface OpenFile extends WindowFile {
  /** Absolute. */
  readonly path: string
}

export interface TextRange {
  /** First line, from 1. Default 1. */
  readonly offset?: number
  /** Lines. Default and maximum 2,000. */
  readonly limit?: number
}

const byteOrderMark = '\u{FEFF}'

/** Reads part of an open file as UTF-8; a byte order mark is left out, bytes that are no UTF-8 become U+FFFD. */
export async function readText(file: OpenFile, range: TextRange, signal: AbortSignal): Promise<ToolResult> {
  const offset = range.offset ?? 1
  const limits = { ...outputLimits, maxLines: Math.min(range.limit ?? Infinity, outputLimits.maxLines) }
  // a little more than is shown, so that what is cut is cut by the truncation and not in the middle of a character
  const window = await readWindow(file, { ...limits, offset, maxBytes: limits.maxBytes + 8 }, signal)
  if (window.bytes.includes(0)) throw new FileProblem(describeBinary(file))
  if (window.bytes.length === 0 && offset > 1) {
    throw new FileProblem(`${file.path} has ${window.seenLines} lines: offset ${offset} is past its end.`)
  }
  const text = window.bytes.toString('utf8')
  const kept = truncateHead(offset === 1 && text.startsWith(byteOrderMark) ? text.slice(1) : text, limits)
  const notice = describeRest(file, offset, window, kept)
  const details = {
    path: file.path,
    firstLine: offset,
    lines: kept.lines,
    isWhole: offset === 1 && notice === undefined,
  }
  if (text === '') return textResult('(The file is empty.)', { details })
  const gap = kept.text.endsWith('\n') ? '' : '\n'
  return textResult(notice === undefined ? kept.text : `${kept.text}${gap}${notice}`, { details })
}

/** What read says of a file that is neither text nor an image. */
export function describeBinary({ path, size }: Pick<OpenFile, 'path' | 'size'>): string {
  const name = shellQuote(path)
  return (
    `${path} is a binary file (${formatBytes(size)}); read shows text and images (png, jpg, gif, webp). ` +
    `Look at it with bash: file ${name}; xxd ${name} | head; for UTF-16 text, iconv -f UTF-16 -t UTF-8 ${name}`
  )
}

/** Undefined where nothing is left. */
function describeRest(file: OpenFile, offset: number, window: FileWindow, kept: Truncated): string | undefined {
  if (window.atEnd && kept.cutBy === undefined) return undefined
  const last = offset + kept.lines - 1
  if (kept.cutLine) {
    const next = window.start + kept.bytes + 1
    const rest = `tail -c +${next} ${shellQuote(file.path)} | head -c ${outputLimits.maxBytes}`
    return `[Line ${offset} is longer than ${formatBytes(outputLimits.maxBytes)}: only its beginning is shown. Its rest: bash: ${rest}. The next line: offset=${offset + 1}]`
  }
  const left = file.size - window.start - kept.bytes
  const size = left > 0 ? `, ${formatBytes(left)} follow` : ''
  return `[Lines ${offset}-${last} are shown${size}. Go on with offset=${last + 1}]`
}
