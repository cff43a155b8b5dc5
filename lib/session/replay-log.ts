// Folding a log's lines in order gives the session as it was when the last of them was written, at rest.
import { emptySession, foldSession } from '../streams/fold-session.ts'
import type { SessionState } from '../streams/fold-session.ts'
import type { SessionLog } from '../streams/session-log.ts'

/** Where damage turns up, what stands before it: the log is read-only from then on. @throws Failure `storage` */
export function replayLog(log: Pick<SessionLog, 'records' | 'readOnly'>): SessionState {
  let state = emptySession()
  try {
    for (const record of log.records()) state = foldSession(state, record)
  } catch (error) {
    if (log.readOnly === undefined) throw error
  }
  // nothing is on in a log that is just being opened, whatever a killed process left unfinished in it
  const { running, open, ...idle } = state
  return { ...idle, tools: new Map() }
}
