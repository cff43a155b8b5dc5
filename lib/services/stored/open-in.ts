// A session lies in one of several stores: the first that knows it is the one.
import { Failure } from '../../streams/values/failure.ts'
import type { OpenOptions, OpenedLog, SessionStore } from '../../streams/ports/session-log.ts'

export interface OpenedIn extends OpenedLog {
  /** Where it lies. */
  readonly store: SessionStore
}

/** Opens it where it lies; what the last store says where none has it. @throws Failure as `SessionStore.open` does */
export function openIn(
  [first, second]: readonly [SessionStore, SessionStore],
  sessionId: string,
  options: OpenOptions = {},
): OpenedIn {
  try {
    return { ...first.open(sessionId, options), store: first }
  } catch (error) {
    if (error instanceof Failure && error.code === 'unknown_session')
      return { ...second.open(sessionId, options), store: second }
    throw error
  }
}
