// A log that a killed process left in mid-run is closed before anything else is written to it; what it left open is on nowhere.
import { asyncScheduler } from 'rxjs'
import type { SessionState } from '../streams/fold-session.ts'
import { foldSession } from '../streams/fold-session.ts'
import type { Ids } from '../streams/identifiers.ts'
import { lineBody } from '../streams/line-event.ts'
import type { SessionLog } from '../streams/session-log.ts'
import { recoveryEvents } from './recover.ts'
import { unfinishedRun } from './unfinished-run.ts'

/**
 * The session as it is to go on: where a run was on, its end is appended and a sync of it started. A log that is only read
 * is left as it is; nothing is on in it either.
 * @param state what the log folds to
 * @throws Failure `storage`; the next opening goes on from what was written
 */
export function recoverLog(log: SessionLog, state: SessionState, ids: Pick<Ids, 'short'>): SessionState {
  return atRest(state.running === undefined || log.readOnly !== undefined ? state : recovered(log, state, ids))
}

function recovered(log: SessionLog, initial: SessionState, ids: Pick<Ids, 'short'>): SessionState {
  const run = unfinishedRun(log.records())
  if (run === undefined) return initial
  const runId = initial.running?.runId
  const at = asyncScheduler.now()
  const events = recoveryEvents({
    state: initial,
    run,
    checkpoints: log.checkpoints(),
    now: at,
    nextEntryId: () => freshId(initial, ids),
  })
  let state = initial
  for (const event of events) {
    const seq = log.head + 1
    log.append(lineBody({ seq, at, runId, event }))
    state = foldSession(state, { event, seq, runId })
  }
  log.sync()
  return state
}

function freshId({ entries }: SessionState, ids: Pick<Ids, 'short'>): string {
  let id = ids.short()
  while (entries.has(id)) id = ids.short()
  return id
}

function atRest({ running, open, ...state }: SessionState): SessionState {
  return { ...state, tools: new Map() }
}
