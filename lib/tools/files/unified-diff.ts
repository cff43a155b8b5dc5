// Computes a unified diff for people, unless it would take too long or be too long to read.

export interface Change {
  /** Name in the header. */
  readonly name: string
  /** Undefined: the file did not exist. */
  readonly before: string | undefined
  readonly after: string
  /** Number of lines before the two texts, if they are parts of a file. Default 0. */
  readonly skippedLines?: number
}

const maxInput = 1_000_000
const maxOutput = 51_200
/** Milliseconds of computing. */
const maxTime = 100

/**
 * Three lines of context. Undefined if nothing changed, or the texts exceed 10⁶ characters, 100 ms or 50 KB of diff.
 */
export async function unifiedDiff({ name, before, after, skippedLines = 0 }: Change): Promise<string | undefined> {
  if (before === after || (before?.length ?? 0) + after.length > maxInput) return undefined
  const { FILE_HEADERS_ONLY, formatPatch, structuredPatch } = await import('diff') // 15 ms that only writers pay
  const oldName = before === undefined ? '/dev/null' : name
  const options = { context: 3, timeout: maxTime }
  const patch = structuredPatch(oldName, name, before ?? '', after, undefined, undefined, options)
  if (patch === undefined) return undefined
  for (const hunk of patch.hunks) {
    hunk.oldStart += skippedLines
    hunk.newStart += skippedLines
  }
  const text = formatPatch(patch, FILE_HEADERS_ONLY)
  return text.length <= maxOutput ? text : undefined
}
