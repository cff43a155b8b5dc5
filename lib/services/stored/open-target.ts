// Opens a session by id, from the first store that has it, or a session file by path.
import { defer, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { openSessionFile } from '../../store/index.ts'
import type { OpenedFile } from '../../store/index.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionStore, OpenOptions, OpenedLog, SessionLog } from '../../streams/ports/session-log.ts'
import { absolutePath } from './check-path.ts'

/** One of both. */
export interface Target {
  readonly session?: string | undefined
  /** Absolute. */
  readonly file?: string | undefined
}

export interface OpenedTarget extends OpenedFile {
  /** The store of the session; absent for a file. */
  readonly store?: SessionStore
}

/**
 * Emits once, opened for reading. Fails as opening does, and with `bad_request` for neither, both, or a relative path.
 */
export function openTarget(
  { session, file }: Target,
  stores: readonly [SessionStore, SessionStore],
): Observable<OpenedTarget> {
  return defer(() => {
    if (session !== undefined && file === undefined) {
      const { log, store } = openIn(stores, session, { readOnly: true })
      return of({ log, store, notes: [] })
    }
    if (session !== undefined || file === undefined) throw new Failure('bad_request', 'Give either session or file')
    return openSessionFile(absolutePath('file', file))
  })
}

export interface OpenedIn extends OpenedLog {
  /** The store of the session. */
  readonly store: SessionStore
}

/** Opens the session in the first store that has it. @throws Failure as `SessionStore.open` of the last store does */
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

/** The log's damage, which ends its records before the file ends; undefined if none is found so far. */
export function damageOf({ readOnly }: Pick<SessionLog, 'readOnly'>): Failure | undefined {
  return readOnly !== undefined && 'line' in readOnly.data ? readOnly : undefined
}
