// Creates one session per `opId`.
// A repeated `new_session` gets the same session, while it is created and after.
import { ReplaySubject, defaultIfEmpty, defer, mergeMap, tap, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { commandDigest } from '../../services/stored/find-created-session.ts'
import type { SessionsBackend } from '../../services/contract/server-backend.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ServedSession } from '../feed/served-session.ts'

export type NewSession = Omit<CommandNamed<'new_session'>, 'type'>

export interface CreateOnceOptions {
  readonly backend: Pick<SessionsBackend, 'findCreated'>
  create(command: NewSession, opId: string): Observable<ServedSession>
  /** Opens a session that was created before: open, evicted, or created by an earlier server. */
  reopen(session: string, command: NewSession): Observable<ServedSession>
  /** How many `opId`s are stored; older ones are found by line 1 of their log, if they have one. Default 1,000. */
  readonly limit?: number
}

interface Creation {
  /** A digest of the command. */
  readonly body: string
  /** Set while the session is being created. */
  served$: Observable<ServedSession> | undefined
  /** Set from then on. */
  session: string
}

/**
 * Starts in the call itself and replays. A creation that failed is dropped: the next command with its `opId` tries
 * again.
 */
export function createOnce({ backend, create, reopen, limit = 1_000 }: CreateOnceOptions): CreateOnceOptions['create'] {
  const byOpId = new Map<string, Creation>()
  const begin$ = (command: NewSession, opId: string, body: string): Observable<ServedSession> => {
    const served$ = new ReplaySubject<ServedSession>(1)
    const creation: Creation = { body, served$, session: '' }
    byOpId.set(opId, creation)
    defer(() => backend.findCreated(command, opId))
      .pipe(
        defaultIfEmpty(undefined),
        mergeMap((session) => (session === undefined ? create(command, opId) : reopen(session, command))),
        tap({
          next: ({ session }) => {
            creation.served$ = undefined
            creation.session = session.id
            forgetOldest(byOpId, limit)
          },
          error: () => byOpId.delete(opId),
        }),
      )
      .subscribe(served$)
    return served$.asObservable()
  }
  return (command, opId) => {
    const body = commandDigest(command)
    const known = byOpId.get(opId)
    if (known === undefined) return begin$(command, opId, body)
    if (known.body !== body) return throwError(() => opIdReused(opId))
    return known.served$ ?? reopen(known.session, command)
  }
}

/** Skips sessions that are being created. */
function forgetOldest(byOpId: Map<string, Creation>, limit: number): void {
  for (const [opId, { served$ }] of byOpId) {
    if (byOpId.size <= limit) return
    if (served$ === undefined) byOpId.delete(opId)
  }
}

function opIdReused(opId: string): Failure {
  return new Failure('bad_request', `opId "${opId}" was already used for another new_session; use a new one`)
}
