// Cuts text by lines and bytes. Guarantees: whole lines if one fits, and never half a character.

export interface TruncateLimits {
  /** The most lines to retain. */
  readonly maxLines: number
  /** The most UTF-8 bytes to retain. */
  readonly maxBytes: number
}

/**
 * The retained text and the size of the whole. A line ends at `\n`; text after the last `\n` is a line, empty text is
 * none.
 */
export interface Truncated {
  readonly text: string
  /** The limit that cut; absent if all text was retained. */
  readonly cutBy?: 'lines' | 'bytes'
  /** True if the only retained line did not fit and is cut itself. */
  readonly cutLine: boolean
  readonly lines: number
  readonly bytes: number
  readonly totalLines: number
  readonly totalBytes: number
}

/** Retains the start: as many first lines as both limits allow, or the start of a first line that is too long. */
export function truncateHead(text: string, limits: TruncateLimits): Truncated {
  let end = 0
  let bytes = 0
  let lines = 0
  while (end < text.length && lines < limits.maxLines) {
    const lineEnd = endOfLine(text, end)
    const lineBytes = utf8Length(text, end, lineEnd)
    if (bytes + lineBytes > limits.maxBytes) break
    bytes += lineBytes
    lines += 1
    end = lineEnd
  }
  if (lines === 0 && end < text.length && limits.maxLines > 0) {
    return describe(text, 0, prefixEnd(text, limits.maxBytes), limits, true)
  }
  return describe(text, 0, end, limits, false)
}

/** Retains the end: as many last lines as both limits allow, or the end of a last line that is too long. */
export function truncateTail(text: string, limits: TruncateLimits): Truncated {
  let start = text.length
  let bytes = 0
  let lines = 0
  while (start > 0 && lines < limits.maxLines) {
    const lineStart = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1
    const lineBytes = utf8Length(text, lineStart, start)
    if (bytes + lineBytes > limits.maxBytes) break
    bytes += lineBytes
    lines += 1
    start = lineStart
  }
  if (lines === 0 && start > 0 && limits.maxLines > 0) {
    return describe(text, suffixStart(text, limits.maxBytes), text.length, limits, true)
  }
  return describe(text, start, text.length, limits, false)
}

/** The UTF-8 length of a piece of text; a lone surrogate counts as U+FFFD. */
export function utf8Length(text: string, start = 0, end = text.length): number {
  let bytes = 0
  for (let index = start; index < end; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else if (isPair(text, index) && index + 1 < end) {
      bytes += 4
      index += 1
    } else bytes += 3
  }
  return bytes
}

/** The first `maxUnits` UTF-16 units, one less if the cut would split a pair. */
export function firstUnits(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text
  return text.slice(0, isPair(text, maxUnits - 1) ? maxUnits - 1 : maxUnits)
}

/** The last `maxUnits` UTF-16 units, one less if the cut would split a pair. */
export function lastUnits(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text
  const start = text.length - maxUnits
  return text.slice(isPair(text, start - 1) ? start + 1 : start)
}

/** The last `maxBytes` UTF-8 bytes, less if the cut would split a character. */
export function lastBytes(text: string, maxBytes: number): string {
  return text.length * 3 <= maxBytes ? text : text.slice(suffixStart(text, maxBytes))
}

/** Lines as `Truncated` counts them. */
export function countLines(text: string): number {
  let lines = 0
  for (let index = 0; index < text.length; index = endOfLine(text, index)) lines += 1
  return lines
}

function describe(text: string, start: number, end: number, limits: TruncateLimits, cutLine: boolean): Truncated {
  const retained = text.slice(start, end)
  const counts = { lines: countLines(retained), bytes: utf8Length(retained) }
  if (retained.length === text.length) {
    return { text, cutLine: false, ...counts, totalLines: counts.lines, totalBytes: counts.bytes }
  }
  return {
    text: retained,
    cutBy: !cutLine && counts.lines >= limits.maxLines ? 'lines' : 'bytes',
    cutLine,
    ...counts,
    totalLines: countLines(text),
    totalBytes: utf8Length(text),
  }
}

/** Just after the `\n` that ends the line at `start`, or the end of the text. */
function endOfLine(text: string, start: number): number {
  const newline = text.indexOf('\n', start)
  return newline === -1 ? text.length : newline + 1
}

function prefixEnd(text: string, maxBytes: number): number {
  let bytes = 0
  for (let index = 0; index < text.length;) {
    const units = isPair(text, index) ? 2 : 1
    bytes += utf8Length(text, index, index + units)
    if (bytes > maxBytes) return index
    index += units
  }
  return text.length
}

function suffixStart(text: string, maxBytes: number): number {
  let bytes = 0
  for (let index = text.length; index > 0;) {
    const units = isPair(text, index - 2) ? 2 : 1
    bytes += utf8Length(text, index - units, index)
    if (bytes > maxBytes) return index
    index -= units
  }
  return 0
}

/** True if a high surrogate at `index` is followed by its low one. */
function isPair(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00
}
