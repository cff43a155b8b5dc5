// Compares a session's files with its first snapshot, whatever changed them since.
import { concat, defer, mergeMap, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../streams/commands/command.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import type { ComparedFile } from '../../streams/ports/snapshots.ts'
import { unifiedDiff } from '../../tools/files/unified-diff.ts'
import type { ClosedSurroundings } from './change-closed.ts'
import { closeOnAbandon } from '../../streams/rx/on-abandon.ts'
import { filesAtEntry } from '../../session/commands/files-at-entry.ts'
import { openTarget } from './open-target.ts'
import type { ReadStores } from './read-sessions.ts'
import type { StoredBackend } from '../contract/server-backend.ts'

/** UTF-16 units of all diffs of a result. */
const maxDiffText = 4 * 2 ** 20

type Diff = ResultOf<'get_diff'>

export function getDiff(
  { memory, files }: ReadStores,
  surroundings: () => ClosedSurroundings,
): StoredBackend['getDiff'] {
  return ({ session }) =>
    openTarget({ session }, [memory, files]).pipe(
      mergeMap(({ log }) => {
        const { registry, snapshots } = surroundings()
        const { cwd } = log.header
        // closed before the files are compared: that takes long, and the client may cancel meanwhile
        return defer(() => of(firstSnapshot(log, registry))).pipe(
          mergeMap((from) => concat(log.close(), of(from))),
          closeOnAbandon(log),
          mergeMap((from) => (from === undefined ? of({ files: [], more: 0 }) : diffSince(from, cwd, snapshots))),
        )
      }),
    )
}

const relevantTypes = new Set(['snapshot_taken', 'agent_start', 'tool_execution_end'])

/** Undefined if the session has changed nothing. @throws Failure `bad_request` if no snapshot shows its changes */
function firstSnapshot(log: SessionLog, registry: ClosedSurroundings['registry']): string | undefined {
  const mayChange = (name: string): boolean => registry.find((tool) => tool.name === name)?.sideEffectFree !== true
  const then = filesAtEntry({ records: ownRecords(log.records(0, relevantTypes)), mayChange })
  if (then.kind === 'unknown') throw unknownChanges(then.reason)
  return then.to
}

/** Skips the records before the session's first run: a copied or imported session did not do them itself. */
function* ownRecords(records: Iterable<SessionRecord>): Iterable<SessionRecord> {
  let isOwn = false
  for (const record of records) {
    isOwn ||= record.event.type !== 'tool_execution_end'
    if (isOwn) yield record
  }
}

function diffSince(from: string, cwd: string, snapshots: ClosedSurroundings['snapshots']): Observable<Diff> {
  if (snapshots?.compare === undefined) return throwError(() => unknownChanges('snapshots are switched off'))
  return snapshots
    .compare({ cwd, from })
    .pipe(
      mergeMap(({ files, more }) => fromAbortable(async (signal) => ({ files: await diffFiles(files, signal), more }))),
    )
}

/** @throws the signal's reason if it aborts: the rest is not compared */
async function diffFiles(files: readonly ComparedFile[], signal: AbortSignal): Promise<Diff['files']> {
  const all: Diff['files'] = []
  let left = maxDiffText
  for (const { path, change, before, after = '', unread } of files) {
    signal.throwIfAborted()
    const diff = unread === undefined ? await unifiedDiff({ name: path, before, after }) : undefined
    left -= diff?.length ?? 0
    const reason = unread ?? (diff === undefined || left < 0 ? 'its changes are too many to show' : undefined)
    all.push(
      reason === undefined && diff !== undefined ? { path, change, diff } : { path, change, reason: reason ?? '' },
    )
  }
  return all
}

function unknownChanges(reason: string): Failure {
  return new Failure('bad_request', `The changes of this session are unknown: ${reason}`)
}
