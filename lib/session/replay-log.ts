// Folding a log's lines in order gives the session as it was when the last of them was written, at rest.
import { emptySession, foldSession } from '../streams/fold-session.ts'
import type { SessionState } from '../streams/fold-session.ts'
import type { SessionLog } from '../streams/session-log.ts'

export function replayLog(log: Pick<SessionLog, 'records'>): SessionState {
  let state = emptySession()
  for (const record of log.records()) state = foldSession(state, record)
  // nothing is on in a log that is just being opened, whatever a killed process left unfinished in it
  const { running, open, ...idle } = state
  return { ...idle, tools: new Map() }
}
