// Folds a log into a state, from a snapshot on if there is one.
import { emptySession, foldSession } from '../../streams/state/fold-session.ts'
import type { SessionState, Entry } from '../../streams/state/fold-session.ts'
import { createdChoices } from '../../streams/state/fold-settings.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { SnapshotLog } from './state-snapshot.ts'
import { stateFromSnapshot, contextFrom } from './state-snapshot.ts'
import { LazyHistory, LazyEntries } from './lazy-history.ts'
import type { KeyFilter } from './lazy-map.ts'
import { IdFilter } from './lazy-map.ts'

/**
 * Starts from the snapshot, else from the state that opening found, else from line 1, with the choices that the session
 * was created with. Stops at damage, which makes the log read-only. @throws Failure `storage`
 */
export function replayLog(log: SnapshotLog & Pick<SessionLog, 'header' | 'readOnly' | 'rested'>): SessionState {
  let state = { ...createdChoices(log.header), ...(stateFromSnapshot(log) ?? idleState(log) ?? emptySession()) }
  try {
    for (const record of log.records(state.seq)) state = foldSession(state, record)
  } catch (error) {
    if (log.readOnly === undefined) throw error
  }
  return state
}

/**
 * The state in which no run was active, as opening found it; message texts are read on access. Undefined without such a
 * state.
 */
function idleState(log: Pick<SessionLog, 'rested' | 'entries'>): SessionState | undefined {
  const { rested } = log
  if (rested === undefined) return undefined
  const { state } = rested
  let all: ReadonlyMap<string, Entry> | undefined
  const allEntries = (): ReadonlyMap<string, Entry> => (all ??= rested.entries())
  const context = (): ReadonlyMap<string, Entry> => {
    const from = contextFrom({ ...state, entries: allEntries() })
    return new Map((log.entries?.(from, state.seq) ?? []).map((entry) => [entry.entryId, entry]))
  }
  const earlier = LazyHistory.of(allEntries)
  return {
    ...state,
    entries: new LazyEntries({ names: keyFilter(allEntries), context, earlier, snapshotSeq: state.seq }),
  }
}

function keyFilter(allEntries: () => ReadonlyMap<string, Entry>): KeyFilter {
  return {
    mayHave: (name) => allEntries().has(name),
    with: (names) => IdFilter.of(allEntries().keys()).with(names),
  }
}
