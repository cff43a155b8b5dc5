// A session lies in one of several stores: the first that knows it is the one.
import { Failure } from '../streams/failure.ts'
import type { OpenOptions, OpenedLog, SessionStore } from '../streams/session-log.ts'

/** Opens it where it lies; what the last store says where none has it. @throws Failure as `SessionStore.open` does */
export function openIn(
  [first, second]: readonly [SessionStore, SessionStore],
  sessionId: string,
  options: OpenOptions = {},
): OpenedLog {
  try {
    return first.open(sessionId, options)
  } catch (error) {
    if (error instanceof Failure && error.code === 'unknown_session') return second.open(sessionId, options)
    throw error
  }
}
