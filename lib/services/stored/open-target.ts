// What is looked at is a session by its id or a session file by its path, never both.
import { defer, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { openSessionFile } from '../../store/index.ts'
import type { OpenedFile } from '../../store/index.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionStore } from '../../streams/ports/session-log.ts'
import { absolutePath } from './absolute-path.ts'
import { openIn } from './open-in.ts'

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
