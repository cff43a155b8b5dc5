// Folding a log's lines in order gives the session as it was when the last of them was written; a killed process leaves a run on.
import { emptySession, foldSession } from '../../streams/state/fold-session.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { KeptLog } from './kept-state.ts'
import { stateFromKept } from './kept-state.ts'
import { restedState } from './rested-state.ts'

/**
 * From what was kept of the session on, where something was, or from what opening saw of it; else the whole log. Where damage
 * turns up, what stands before it: the log is read-only from then on. @throws Failure `storage`
 */
export function replayLog(log: KeptLog & Pick<SessionLog, 'readOnly' | 'rested'>): SessionState {
  let state = stateFromKept(log) ?? restedState(log) ?? emptySession()
  try {
    for (const record of log.records(state.seq)) state = foldSession(state, record)
  } catch (error) {
    if (log.readOnly === undefined) throw error
  }
  return state
}
