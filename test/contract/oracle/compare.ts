// Compares two traces: an unlisted difference and an unused listing are faults.
import { diffArrays } from 'diff'
import { traceParts } from './agent-trace.ts'
import type { AgentTrace } from './agent-trace.ts'
import type { Difference, Hunk } from './difference.ts'

export interface Comparison {
  /** Differences that are not listed. */
  readonly unlisted: readonly Hunk[]
  /** Listed differences that no longer exist. */
  readonly gone: readonly Difference[]
  /** Differences that are listed. */
  readonly listed: readonly Difference[]
}

/** Each listed difference covers one position. */
export function compare(pi: AgentTrace, ours: AgentTrace, differences: readonly Difference[] = []): Comparison {
  const open = [...differences]
  const listed: Difference[] = []
  const unlisted: Hunk[] = []
  for (const hunk of hunksOf(pi, ours)) {
    const at = open.findIndex((difference) => isSame(difference, hunk))
    const [found] = at < 0 ? [] : open.splice(at, 1)
    if (found === undefined) unlisted.push(hunk)
    else listed.push(found)
  }
  return { unlisted, gone: open, listed }
}

/** The differences, position by position, in the order of the parts. */
export function hunksOf(pi: AgentTrace, ours: AgentTrace): Hunk[] {
  return traceParts.flatMap((part) => {
    const hunks: { part: typeof part; pi: string[]; ours: string[] }[] = []
    let open: (typeof hunks)[number] | undefined
    for (const change of diffArrays([...pi[part]], [...ours[part]])) {
      if (!change.added && !change.removed) {
        open = undefined
        continue
      }
      if (open === undefined) hunks.push((open = { part, pi: [], ours: [] }))
      open[change.added ? 'ours' : 'pi'].push(...change.value)
    }
    return hunks
  })
}

function isSame(difference: Hunk, hunk: Hunk): boolean {
  return difference.part === hunk.part && isSameList(difference.pi, hunk.pi) && isSameList(difference.ours, hunk.ours)
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index])
}
