// Collects the changed files of a run and words its end: time, files, cost.
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { countChanges, formatChanges } from '../text/count-changes.ts'
import type { LineCount, RunChanges } from '../text/count-changes.ts'
import { duration } from '../text/duration.ts'
import { formatCost } from '../text/format-cost.ts'
import type { View } from './view.ts'
import { countOf } from '../../../lib/streams/values/count-of.ts'

/** Adds the file that a tool of the active run has changed. */
export function foldChange(view: View, { details, isError }: EventNamed<'tool_execution_end'>): View {
  const { running } = view
  const lines = isError ? undefined : countChanges(details)
  if (running === undefined || lines === undefined) return view
  const path = pathIn(details)
  const { changes = {} } = running
  const { added, removed } = changes[path] ?? { added: 0, removed: 0 }
  const sum = { added: added + lines.added, removed: removed + lines.removed }
  return { ...view, running: { ...running, changes: { ...changes, [path]: sum } } }
}

/** Appends the line at the end of a run. */
export function addRunEnd(view: View, event: EventNamed<'agent_end'>): View {
  const text = runEndText(event, view.running?.changes)
  return text === '' ? view : { ...view, live: [...view.live, { kind: 'runEnd', id: `end-${view.endings}`, text }] }
}

/** '' if the details name none. */
function pathIn(details: unknown): string {
  return typeof details === 'object' && details !== null && 'path' in details && typeof details.path === 'string'
    ? details.path
    : ''
}

/**
 * `42 s · 3 files +12 −4 · $0.03`, without what is zero or unknown. Without the time for a run that did not complete:
 * its notice has it. '' if nothing is left.
 */
function runEndText(
  { durationMs, usage, terminationReason }: EventNamed<'agent_end'>,
  changes: RunChanges = {},
): string {
  const counts = Object.values(changes)
  const lines = counts.reduce<LineCount>(
    (sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }),
    { added: 0, removed: 0 },
  )
  const files = `${countOf(counts.length, 'file')} ${formatChanges(lines)}`
  return [
    terminationReason === 'completed' ? duration(durationMs) : '',
    counts.length === 0 ? '' : files,
    formatCost(usage.cost) ?? '',
  ]
    .filter((part) => part !== '')
    .join(' · ')
}
