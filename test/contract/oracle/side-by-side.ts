// Prints both traces side by side, with a mark at each difference.
import { diffArrays } from 'diff'
import { traceParts } from './agent-trace.ts'
import type { AgentTrace, TracePart } from './agent-trace.ts'

/** Two columns, pi left and ours right, `≠` before differences; parts that are empty on both sides are omitted. */
export function sideBySide(pi: AgentTrace, ours: AgentTrace): string {
  const rows = traceParts.flatMap((part) => [...titleOf(part, pi, ours), ...rowsOf(pi[part], ours[part])])
  const width = Math.min(70, Math.max(...rows.map(({ left }) => left.length)))
  return rows.map(({ mark, left, right }) => `${mark} ${left.padEnd(width)}  ${right}`.trimEnd()).join('\n')
}

interface Row {
  readonly mark: ' ' | '≠' | '—'
  readonly left: string
  readonly right: string
}

function titleOf(part: TracePart, pi: AgentTrace, ours: AgentTrace): Row[] {
  return pi[part].length + ours[part].length === 0 ? [] : [{ mark: '—', left: `pi: ${part}`, right: `ours: ${part}` }]
}

function rowsOf(pi: readonly string[], ours: readonly string[]): Row[] {
  const rows: Row[] = []
  let left: string[] = []
  let right: string[] = []
  const close = (): void => {
    const count = Math.max(left.length, right.length)
    for (let at = 0; at < count; at++) rows.push({ mark: '≠', left: left[at] ?? '', right: right[at] ?? '' })
    left = []
    right = []
  }
  for (const { added, removed, value } of diffArrays([...pi], [...ours])) {
    if (added) right.push(...value)
    else if (removed) left.push(...value)
    else {
      close()
      for (const line of value) rows.push({ mark: ' ', left: line, right: line })
    }
  }
  close()
  return rows
}
