// Shows lines of a file with anchors, and stores the version that was shown.
import { textResult } from '../../../streams/ports/tool.ts'
import type { ToolResult } from '../../../streams/ports/tool.ts'
import { formatBytes } from '../../../streams/values/format-bytes.ts'
import { outputLimits } from '../../shared/output-limits.ts'
import { FileProblem } from '../../shared/file-problem.ts'
import { formatAnchor } from './anchor.ts'
import { lineIndex } from './text-lines.ts'
import type { LineIndex } from './text-lines.ts'
import type { ShownVersion } from './shown-versions.ts'
import { countOf } from '../../../streams/values/count-of.ts'

/** Longer files are neither stored nor edited by anchors. */
export const maxHashedBytes = 32 * 2 ** 20

export interface HashedRange {
  /** First line, from 1. Default 1. */
  readonly offset?: number
  /** Lines. Default and maximum 2,000. */
  readonly limit?: number
}

/** @param path absolute, for messages */
export function readWithHashes(
  path: string,
  version: ShownVersion,
  { offset = 1, limit = Infinity }: HashedRange,
): ToolResult {
  const lines = textLines(version.bytes)
  if (lines.count === 0 && offset === 1) {
    return textResult('(The file is empty.)', { details: { path, firstLine: 1, lines: 0, isWhole: true } })
  }
  const first = offset - 1
  if (first >= lines.count)
    throw new FileProblem(`${path} has ${countOf(lines.count, 'line')}: offset ${offset} is past its end.`)
  const shown = showLines(lines, version, first, Math.min(limit, outputLimits.maxLines))
  const last = first + shown.length
  const isWhole = first === 0 && last === lines.count
  const details = { path, firstLine: offset, lines: shown.length, isWhole, version: version.id }
  if (shown.length === 0) {
    const notice = `[Line ${offset} is longer than ${formatBytes(outputLimits.maxBytes)} and has no anchor. For the next line use offset=${offset + 1}]`
    return textResult(notice, { details })
  }
  if (last < lines.count)
    shown.push(`[Lines ${offset}-${last} of ${lines.count} are shown. Continue with offset=${last + 1}]`)
  return textResult(`${shown.join('\n')}\n`, { details })
}

/** The lines of a file without its byte order mark. */
export function textLines(bytes: Buffer): LineIndex {
  const text = bytes.toString('utf8')
  return lineIndex(text.startsWith('\u{FEFF}') ? text.slice(1) : text)
}

/** As many lines from `first` on as fit the limits; whole lines only, and they count as shown. */
export function showLines(
  lines: LineIndex,
  version: ShownVersion,
  first: number,
  limit: number,
  maxBytes: number = outputLimits.maxBytes,
): string[] {
  const shown: string[] = []
  let bytes = 0
  for (let line = first; line < lines.count && shown.length < limit; line += 1) {
    const text = lines.text(line)
    const formatted = `${formatAnchor(version.id, line, text)}:${text}`
    bytes += Buffer.byteLength(formatted) + 1
    if (bytes > maxBytes) break
    shown.push(formatted)
  }
  version.addShown(first, first + shown.length - 1)
  return shown
}
