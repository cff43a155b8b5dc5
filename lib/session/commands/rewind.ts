// Moves the head back together with the files: checks first, files next, conversation last.
import { concat, defer, finalize, ignoreElements, map, mergeMap, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import { bashExecutionIn } from '../../streams/messages/bash-execution.ts'
import { branch } from '../../streams/state/fold-session.ts'
import type { SessionState, Entry } from '../../streams/state/fold-session.ts'
import { requireEntry } from '../../streams/state/require-entry.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { RestorePlan, RestoreRequest, Snapshots } from '../../streams/ports/snapshots.ts'
import { respondWhenWritten } from '../pipeline/respond-when-durable.ts'
import { moveHead } from './change-session.ts'
import { filesAtEntry } from './files-at-entry.ts'
import type { FilesAtEntry, Rewind } from './files-at-entry.ts'
import {
  conflictFailure,
  firstListed,
  halfDoneFailure,
  newFileFailure,
  planResult,
  unknownFilesFailure,
} from './restore-messages.ts'
import { busyFailure, untilSettled } from './validate-input.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { SessionCore } from '../runs/session-core.ts'

type Origin = { readonly opId?: string }

export interface RewindOptions {
  readonly core: SessionCore
  readonly log: SessionLog
  readonly pipeline: Pipeline
}

export interface Rewinder {
  /**
   * Emits the command's result once. Fails with `bad_request` if there is no entry to go back to, or no snapshot of its
   * files; with `not_allowed` for changes of others without `force`; with `storage`.
   * @throws Failure `busy` if a run is active, or something holds the conversation
   */
  rewind(command: Rewind, origin: Origin): Observable<object>
}

export function rewinder(options: RewindOptions): Rewinder {
  const { activeRun, hold } = options.core
  return {
    rewind: (command, origin) => {
      if (activeRun.running !== undefined) throw busyFailure(untilSettled)
      const release = hold.begin('restore')
      return defer(() => rewindTo(command, origin, options)).pipe(finalize(release))
    },
  }
}

/** The target entry, and the snapshot of its files. */
interface Target {
  readonly entryId: string | null
  readonly files: FilesAtEntry
}

function rewindTo(command: Rewind, origin: Origin, options: RewindOptions): Observable<object> {
  const { entryId, files } = findTarget(command, options)
  if (files.kind === 'unknown') throw unknownFilesFailure(files.reason)
  const toHead$ = (events: readonly AgentEvent[], more: object): Observable<object> => {
    const { core, pipeline } = options
    const moved = moveHead(entryId, { core, state: pipeline.state$.value, isRunning: false })
    const records = [...events, ...moved.events].map((event) => ({ event, ...origin }))
    return respondWhenWritten(options, records, { ...moved.result, ...more })
  }
  const restore = planRestore(files, options)
  if (restore === undefined) {
    const nothing = { changes: [], conflicts: [], kept: [] }
    if (command.dryRun === true) return of({ headEntryId: entryId, ...planResult(nothing) })
    return toHead$([], { paths: [], kept: [] })
  }
  return restore.snapshots.changes(restore.request).pipe(
    mergeMap((plan) => {
      if (command.dryRun === true) return of({ headEntryId: entryId, ...planResult(plan) })
      if (plan.conflicts.length > 0 && command.force !== true) throw conflictFailure(plan.conflicts)
      return restoreFiles(restore, plan, options).pipe(
        mergeMap(({ events, paths, failure }) => {
          const { snapshotBefore } = plan
          const skipped = firstListed(plan.kept).map((file) => ({ ...file }))
          const restoredEvent = {
            type: 'files_restored' as const,
            toEntryId: entryId,
            paths: [...paths],
            snapshotBefore,
            kept: skipped,
          }
          if (failure === undefined)
            return toHead$([...events, restoredEvent], { paths: firstListed(paths), kept: skipped })
          const records = [...events, restoredEvent].map((event) => ({ event }))
          const failed$ = throwError(() => halfDoneFailure(paths.length, plan, failure))
          return concat(respondWhenWritten(options, records, {}).pipe(ignoreElements()), failed$)
        }),
      )
    }),
  )
}

function findTarget(command: Rewind, { core, log, pipeline }: RewindOptions): Target {
  const state = pipeline.state$.value
  const tools = core.settings.registered()
  const mayChange = (name: string): boolean => tools.find((tool) => tool.name === name)?.sideEffectFree !== true
  if (command.type === 'undo') {
    const { first, runId } = lastRun(log, state)
    return { entryId: first.parentId, files: filesAtEntry({ records: log.records(first.seq), runId, mayChange }) }
  }
  const { entryId, restoreFiles = false, newFile = false } = command
  if (newFile) throw newFileFailure()
  if (!restoreFiles) return { entryId, files: { kind: 'known', since: [] } }
  return {
    entryId,
    files: filesAtEntry({ records: log.records(lastArrival(log, entryId, seqOf(entryId, state))), mayChange }),
  }
}

function seqOf(entryId: string | null, state: SessionState): number {
  return entryId === null ? 0 : requireEntry(state, entryId).seq
}

interface Restore {
  readonly snapshots: Snapshots
  readonly request: RestoreRequest
}

/** Undefined if there is nothing to restore. */
function planRestore(files: FilesAtEntry, { core }: RewindOptions): Restore | undefined {
  const { options, tools } = core.parts
  if (files.kind === 'unknown' || files.to === undefined) return undefined
  if (options.snapshots === undefined) throw unknownFilesFailure('this session was opened without snapshots')
  return { snapshots: options.snapshots, request: { cwd: tools.cwd, to: files.to, since: files.since } }
}

interface Restored {
  readonly events: readonly AgentEvent[]
  readonly paths: readonly string[]
  readonly failure?: Failure
}

/** Writes the snapshot's event first: a process that ends during the restore leaves a trace. */
function restoreFiles(
  { snapshots, request }: Restore,
  plan: RestorePlan,
  options: RewindOptions,
): Observable<Restored> {
  const { changes, snapshotBefore } = plan
  if (changes.length === 0) return of({ events: [], paths: [] })
  const before = { type: 'snapshot_taken', snapshot: snapshotBefore, moment: 'before' } as const
  const written$ = respondWhenWritten(options, [{ event: before }], {})
  return concat(
    written$.pipe(ignoreElements()),
    defer(() => snapshots.restore({ ...request, snapshotBefore })),
  ).pipe(
    map(({ snapshotAfter, ...files }) => {
      if (snapshotAfter === undefined) return { ...files, events: [] }
      return { ...files, events: [{ type: 'snapshot_taken', snapshot: snapshotAfter, moment: 'after' } as const] }
    }),
  )
}

const types = new Set(['files_restored', 'head_moved'])

/**
 * The last `seq` at which conversation and files were at an entry: that of its line, or of a later move with restored
 * files. A move without files, or a restore that failed half-way, does not count.
 */
function lastArrival(log: Pick<SessionLog, 'records'>, entryId: string | null, from: number): number {
  let arrival = from
  let restoredAt: number | undefined
  for (const { event, seq = 0 } of log.records(from, types)) {
    if (event.type === 'files_restored') restoredAt = event.toEntryId === entryId ? seq : undefined
    else if (event.type === 'head_moved' && event.entryId === entryId && restoredAt === seq - 1) arrival = seq
  }
  return arrival
}

interface LastRun {
  readonly runId: string | undefined
  /** The run's first entry on this branch. */
  readonly first: Entry
}

/** Finds the last run of a branch in few reads. @throws Failure `bad_request` if the branch has no entry */
function lastRun(log: SessionLog, state: SessionState): LastRun {
  const entries = branch(state)
  const last = entries.at(-1)
  if (last === undefined)
    throw new Failure('bad_request', 'There is nothing to undo: the conversation is at its beginning')
  const runId = runAt(log, entries, entries.length - 1)
  // the entries of a run, with the messages of commands beside it, are contiguous on a branch; those of the last run end it
  let before = -1
  let first = entries.length - 1
  while (first - before > 1) {
    const middle = Math.floor((first + before) / 2)
    if (runAt(log, entries, middle) === runId) first = middle
    else before = middle
  }
  return { runId, first: entries[first] ?? last }
}

/** The run of an entry. The message of a command or a job is of no run, and counts to the run before it. */
function runAt(log: SessionLog, entries: readonly Entry[], index: number): string | undefined {
  for (let at = index; at >= 0; at -= 1) {
    const entry = entries[at]
    if (entry === undefined) return undefined
    const runId = runOf(log, entry)
    if (runId !== undefined || bashExecutionIn(entry.message) === undefined) return runId
  }
  return undefined
}

function runOf(log: SessionLog, { seq }: Entry): string | undefined {
  for (const record of log.records(seq - 1)) return record.runId
  return undefined
}
