// A long log of which no state was kept is opened from what its lines showed while they were checked; its texts are read when they are needed.
import type { Entry, SessionState } from '../../streams/state/fold-session.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import { contextFrom } from './context-from.ts'
import { EarlierEntries } from './earlier-entries.ts'
import { KeptEntries } from './kept-entries.ts'
import type { LayerNames } from './layered-map.ts'
import { NameSet } from './name-set.ts'

/** The session as it was when nothing was on any more; undefined where opening did not look at that. */
export function restedState(log: Pick<SessionLog, 'rested' | 'entries'>): SessionState | undefined {
  const { rested } = log
  if (rested === undefined) return undefined
  const { state } = rested
  let all: ReadonlyMap<string, Entry> | undefined
  const places = (): ReadonlyMap<string, Entry> => (all ??= rested.entries())
  const context = (): ReadonlyMap<string, Entry> => {
    const from = contextFrom({ ...state, entries: places() })
    return new Map((log.entries?.(from, state.seq) ?? []).map((entry) => [entry.entryId, entry]))
  }
  const earlier = EarlierEntries.of(places)
  return { ...state, entries: new KeptEntries({ names: namesOf(places), context, earlier, keptSeq: state.seq }) }
}

function namesOf(places: () => ReadonlyMap<string, Entry>): LayerNames {
  return {
    mayHave: (name) => places().has(name),
    with: (names) => NameSet.of(places().keys()).with(names),
  }
}
