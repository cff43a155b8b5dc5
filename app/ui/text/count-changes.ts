// Finds the unified diff in the details of a tool result and counts its changed lines.

export interface LineCount {
  readonly added: number
  readonly removed: number
}

/** Changed lines of a run by file. */
export type RunChanges = Readonly<Record<string, LineCount>>

/** The diff in `details` of a tool result; undefined if there is none. */
export function diffIn(details: unknown): string | undefined {
  if (typeof details !== 'object' || details === null || !('diff' in details)) return undefined
  return typeof details.diff === 'string' ? details.diff : undefined
}

/** The lines from the first hunk on, without the file headers. */
export function diffBody(diff: string): string[] {
  const begin = diff.search(/^@@ /m)
  return begin === -1 ? [] : diff.slice(begin).replace(/\n$/, '').split('\n')
}

/** Undefined without a diff. */
export function countChanges(details: unknown): LineCount | undefined {
  const diff = diffIn(details)
  if (diff === undefined) return undefined
  const lines = diffBody(diff)
  const count = (mark: string): number => lines.filter((line) => line.startsWith(mark)).length
  return { added: count('+'), removed: count('-') }
}

/** `+12 −4` */
export function formatChanges({ added, removed }: LineCount): string {
  return `+${added} −${removed}`
}
