// What a session is, is kept beside its log now and then, so that opening it again need not read what it was.
import { Failure } from '../../streams/values/failure.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { StateSnapshot, SessionLog } from '../../streams/ports/session-log.ts'
import { keptSession } from './kept-state.ts'

/** Bytes of log that opening may read again: when it is closed, and while it is open. */
const unkeptBytes = { closing: 256 * 1024, settled: 8 * 2 ** 20 }

export type KeepTime = keyof typeof unkeptBytes

/** Keeps the session where that saves the next opening something; nothing where a run is on. */
export function keepSession(log: SessionLog, state: SessionState, when: KeepTime): void {
  const { unkept = 0, kept } = log
  if (log.keep === undefined || log.readOnly !== undefined) return
  if (unkept < unkeptBytes[when] && !(unkept >= unkeptBytes.closing && isCompacted(state, kept?.seq))) return
  const next = keptOrNothing(state)
  if (next !== undefined) log.keep(next)
}

/** Where the line is damaged at which the context begins, nothing is kept: it is told when somebody asks for the context. */
function keptOrNothing(state: SessionState): StateSnapshot | undefined {
  try {
    return keptSession(state)
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined
    throw thrown
  }
}

function isCompacted({ summaries }: SessionState, since = 0): boolean {
  return [...summaries.values()].some(({ seq, event }) => seq > since && event.type === 'compaction')
}
