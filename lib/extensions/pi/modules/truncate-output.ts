// Cuts texts by lines and bytes, as extensions of pi do with the output of their tools.

export const DEFAULT_MAX_LINES = 2000
export const DEFAULT_MAX_BYTES = 50 * 1024

export interface TruncationOptions {
  readonly maxLines?: number
  readonly maxBytes?: number
}

export interface TruncationResult {
  readonly content: string
  readonly truncated: boolean
  readonly truncatedBy: 'lines' | 'bytes' | null
  readonly totalLines: number
  readonly totalBytes: number
  readonly outputLines: number
  readonly outputBytes: number
  readonly lastLinePartial: boolean
  readonly firstLineExceedsLimit: boolean
  readonly maxLines: number
  readonly maxBytes: number
}

const bytes = (text: string): number => Buffer.byteLength(text, 'utf8')

export function formatSize(size: number): string {
  if (size < 1024) return `${size}B`
  return size < 1024 * 1024 ? `${(size / 1024).toFixed(1)}KB` : `${(size / 1024 / 1024).toFixed(1)}MB`
}

/** Whole lines from the start. */
export function truncateHead(content: string, options: TruncationOptions = {}): TruncationResult {
  return truncate(content, options, (lines) => lines)
}

/** Whole lines from the end; of a last line that is too long, its end. */
export function truncateTail(content: string, options: TruncationOptions = {}): TruncationResult {
  const result = truncate(content, options, (lines) => lines.toReversed())
  if (!result.firstLineExceedsLimit) return result
  const end = Buffer.from(content)
    .subarray(-result.maxBytes)
    .toString('utf8')
    .replace(/^\uFFFD+/, '')
  return {
    ...result,
    content: end,
    outputLines: 1,
    outputBytes: bytes(end),
    lastLinePartial: true,
    firstLineExceedsLimit: false,
  }
}

function truncate(
  content: string,
  { maxLines = DEFAULT_MAX_LINES, maxBytes = DEFAULT_MAX_BYTES }: TruncationOptions,
  order: (lines: readonly string[]) => readonly string[],
): TruncationResult {
  const lines = content.split('\n')
  const totals = { totalLines: lines.length, totalBytes: bytes(content), maxLines, maxBytes }
  const rest = { ...totals, lastLinePartial: false, firstLineExceedsLimit: false }
  if (lines.length <= maxLines && totals.totalBytes <= maxBytes)
    return {
      ...rest,
      content,
      truncated: false,
      truncatedBy: null,
      outputLines: lines.length,
      outputBytes: totals.totalBytes,
    }
  const taken: string[] = []
  let size = 0
  let truncatedBy: 'lines' | 'bytes' = 'lines'
  for (const line of order(lines)) {
    if (taken.length === maxLines) break
    const next = size + bytes(line) + (taken.length === 0 ? 0 : 1)
    if (next > maxBytes) {
      truncatedBy = 'bytes'
      break
    }
    taken.push(line)
    size = next
  }
  const output = order(taken).join('\n')
  return {
    ...rest,
    content: output,
    truncated: true,
    truncatedBy,
    outputLines: taken.length,
    outputBytes: size,
    firstLineExceedsLimit: taken.length === 0,
  }
}

export function truncateLine(line: string, maxChars = 500): { readonly text: string; readonly wasTruncated: boolean } {
  return line.length <= maxChars
    ? { text: line, wasTruncated: false }
    : { text: `${line.slice(0, maxChars)}... [truncated]`, wasTruncated: true }
}
