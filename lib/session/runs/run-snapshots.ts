// Takes a snapshot of the files before a run's first change, and one when the run ends.
import { EMPTY, concat, defer, ignoreElements, mergeMap, of, take, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CallPorts } from '../../operators/ports/run-ports.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SnapshotSkipped, SnapshotTaken } from '../../streams/ports/snapshots.ts'
import type { SessionCore } from './session-core.ts'

/** The snapshots of one run. */
export interface RunSnapshots {
  /** Completes when the snapshot is taken, or a warning says why not; at once from the second call on. */
  before(): Observable<never>
  /** Emits the events of the snapshot at the end of the run. */
  after(): Observable<AgentEvent>
}

/** @param publish records an event within the run */
export function runSnapshots({ parts }: SessionCore, publish: (event: AgentEvent) => void): RunSnapshots | undefined {
  const { snapshots } = parts.options
  if (snapshots === undefined) return undefined
  const { cwd } = parts.tools
  let isRequested = false
  let before: string | undefined
  return {
    before: () =>
      defer(() => {
        if (isRequested) return EMPTY
        isRequested = true
        return snapshots.take({ cwd }).pipe(
          tap((taken) => {
            if (taken.type === 'taken') before = taken.snapshot
            snapshotEvents(taken, 'before').forEach(publish)
          }),
          ignoreElements(),
        )
      }),
    after: () =>
      defer(() => (before === undefined ? EMPTY : snapshots.take({ cwd, before }))).pipe(
        mergeMap((taken) => snapshotEvents(taken, 'after')),
      ),
  }
}

type RefusalOf = CallPorts['refusalOf']

/** Decides first whether a call may run; a call that may change files then waits for the snapshot. */
export function snapshotBefore(refusalOf: RefusalOf, snapshots: RunSnapshots | undefined): RefusalOf {
  if (snapshots === undefined) return refusalOf
  return (input) =>
    (refusalOf?.(input) ?? of(undefined)).pipe(
      take(1),
      mergeMap((reason) => {
        const mayChange = reason === undefined && input.tool.sideEffectFree !== true
        return concat(mayChange ? snapshots.before() : EMPTY, of(reason))
      }),
    )
}

function snapshotEvents(taken: SnapshotTaken | SnapshotSkipped, moment: 'before' | 'after'): AgentEvent[] {
  if (taken.type === 'skipped') return [warning('snapshot_skipped', skippedMessage[moment](taken.message))]
  const { snapshot, files, notKept, pruned } = taken
  const event = { type: 'snapshot_taken', snapshot, moment, files, notKept } as const
  if (pruned === 0) return [event]
  return [event, warning('snapshots_pruned', `${pruned} old snapshots of this folder were removed`)]
}

const skippedMessage = {
  before: (reason: string) =>
    `No snapshot was taken, so undo cannot restore the files that this run changes: ${reason}`,
  after: (reason: string) => `No snapshot was taken at the end of the run, so undo will need force: ${reason}`,
}

function warning(code: string, message: string): AgentEvent {
  return { type: 'warning', code, message, recoverable: true }
}
