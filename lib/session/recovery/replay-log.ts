// Folds a log into a state, from a snapshot on if there is one.
import { emptySession, foldSession } from '../../streams/state/fold-session.ts'
import type { SessionState, Entry } from '../../streams/state/fold-session.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { SnapshotLog } from './state-snapshot.ts'
import { stateFromSnapshot } from './state-snapshot.ts'
import { contextFrom } from './state-snapshot.ts'
import { LazyHistory } from './lazy-history.ts'
import { LazyEntries } from './lazy-history.ts'
import type { KeyFilter } from './lazy-map.ts'
import { IdFilter } from './id-filter.ts'

/**
 * From what was kept of the session on, where something was, or from what opening saw of it; else the whole log. Where damage
 * turns up, what stands before it: the log is read-only from then on. @throws Failure `storage`
 */
export function replayLog(log: SnapshotLog & Pick<SessionLog, 'readOnly' | 'rested'>): SessionState {
  let state = stateFromSnapshot(log) ?? restedState(log) ?? emptySession()
  try {
    for (const record of log.records(state.seq)) state = foldSession(state, record)
  } catch (error) {
    if (log.readOnly === undefined) throw error
  }
  return state
}

// A long log of which no state was kept is opened from what its lines showed while they were checked; its texts are read when they are needed.

/** The session as it was when nothing was on any more; undefined if opening did not look at that. */
function restedState(log: Pick<SessionLog, 'rested' | 'entries'>): SessionState | undefined {
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
    entries: new LazyEntries({ names: namesOf(allEntries), context, earlier, snapshotSeq: state.seq }),
  }
}

function namesOf(allEntries: () => ReadonlyMap<string, Entry>): KeyFilter {
  return {
    mayHave: (name) => allEntries().has(name),
    with: (names) => IdFilter.of(allEntries().keys()).with(names),
  }
}
