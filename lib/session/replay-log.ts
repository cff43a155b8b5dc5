// Folding a log's lines in order gives the session as it was when the last of them was written.
import { emptySession, foldSession } from '../streams/fold-session.ts'
import type { SessionState } from '../streams/fold-session.ts'
import type { SessionLog } from '../streams/session-log.ts'

export function replayLog(log: Pick<SessionLog, 'records'>): SessionState {
  let state = emptySession()
  for (const record of log.records()) state = foldSession(state, record)
  return state
}
