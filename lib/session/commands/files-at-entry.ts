// Finds the snapshot that holds the files as they were at an entry.
import type { SessionRecord } from '../../streams/log/log-line.ts'
import type { SnapshotPair } from '../../streams/ports/snapshots.ts'
import type { SessionCommand } from '../contract/session.ts'

export type Rewind = Extract<SessionCommand, { type: 'undo' | 'branch_session' }>
type RestoringRewind =
  | Extract<Rewind, { type: 'undo' }>
  | (Extract<Rewind, { type: 'branch_session' }> & { readonly restoreFiles: boolean })

/** Whether files may have to be compared or restored. */
export function mayRestoreFiles(command: Rewind): command is RestoringRewind {
  if (command.type === 'branch_session' && command.summarise === true) return false
  return command.type === 'undo' || command.restoreFiles === true || command.dryRun === true
}

export interface FilesAtEntryOptions {
  /** Everything after the entry, to the log's end. */
  readonly records: Iterable<SessionRecord>
  /** Only this run counts as the first: if it changed nothing, there is nothing to restore. Default: any run. */
  readonly runId?: string | undefined
  /** False for tools that change nothing. */
  mayChange(toolName: string): boolean
}

/** The snapshot to go back to; `to` is absent if nothing has changed since. */
export type FilesAtEntry =
  | { readonly kind: 'known'; readonly to?: string; readonly since: readonly SnapshotPair[] }
  | { readonly kind: 'unknown'; readonly reason: string }

/** Reads the records once. */
export function filesAtEntry({ records, runId, mayChange }: FilesAtEntryOptions): FilesAtEntry {
  const since: SnapshotPair[] = []
  let open: { readonly runId: string | undefined } | undefined
  let unknownReason: string | undefined
  for (const { event, runId: run } of records) {
    const last = since.at(-1)
    if (event.type === 'snapshot_taken' && event.moment === 'before') {
      if (last === undefined && unknownReason !== undefined) return { kind: 'unknown', reason: unknownReason }
      if (last === undefined && runId !== undefined && run !== runId) return unchanged
      since.push({ before: event.snapshot })
      open = { runId: run }
    } else if (event.type === 'snapshot_taken') {
      if (last !== undefined && last.after === undefined) since[since.length - 1] = { ...last, after: event.snapshot }
      open = undefined
    } else if (event.type === 'agent_start') {
      if (runId !== undefined && run !== runId && last === undefined && unknownReason === undefined) return unchanged
      open = undefined
    } else if (
      event.type === 'tool_execution_end' &&
      open === undefined &&
      hasRun(event) &&
      mayChange(event.toolName)
    ) {
      // changes of a tool without a snapshot begin at the last known files
      if (last === undefined) unknownReason ??= noSnapshot
      else if (last.after !== undefined) since.push({ before: last.after })
    }
  }
  if (since[0] !== undefined) return { kind: 'known', to: since[0].before, since }
  return unknownReason === undefined ? unchanged : { kind: 'unknown', reason: unknownReason }
}

const unchanged: FilesAtEntry = { kind: 'known', since: [] }
const noSnapshot =
  'there is no snapshot (a run takes one only before its first change; snapshots may be off or skipped; an imported session has none)'

/** A refused call ends with an error and a duration of 0. */
function hasRun({ isError, durationMs }: { readonly isError: boolean; readonly durationMs: number }): boolean {
  return !isError || durationMs > 0
}
