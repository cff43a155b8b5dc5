// Opens a session by id, from the first store that has it, or a session file by path.
import { defer, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { openSessionFile } from '../../store/index.ts'
import type { OpenedFile } from '../../store/index.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionStore, OpenOptions, OpenedLog, SessionLog } from '../../streams/ports/session-log.ts'
import { absolutePath } from './check-path.ts'

/** As commands have it: one of both. */
export interface Target {
  readonly session?: string | undefined
  /** Absolute. */
  readonly file?: string | undefined
}

export interface OpenedTarget extends OpenedFile {
  /** Where the session lies; absent for a file. */
  readonly store?: SessionStore
}

/** Emits once, opened to be read. Fails as opening it does, and with `bad_request` for neither, both, or a relative path. */
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

// A session lies in one of several stores: the first that knows it is the one.

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

// A log that is read says why it is not written: because a line is damaged, or for another reason.

/** Its damage, which ends its records before the file does; undefined if none was found so far. */
export function damageOf({ readOnly }: Pick<SessionLog, 'readOnly'>): Failure | undefined {
  return readOnly !== undefined && 'line' in readOnly.data ? readOnly : undefined
}
