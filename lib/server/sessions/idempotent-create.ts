// One opId makes one session: sent again it is answered with that session, while it is being made and ever after.
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
  make(command: NewSession, opId: string): Observable<ServedSession>
  /** A session that was made before: open, at rest, or by an earlier server. */
  again(session: string, command: NewSession): Observable<ServedSession>
  /** How many are remembered; of older ones the log's line 1 knows, where there is one. Default 1,000. */
  readonly limit?: number
}

interface Made {
  /** A digest of what was asked for. */
  readonly body: string
  /** While it is being made. */
  served$: Observable<ServedSession> | undefined
  /** From then on. */
  session: string
}

/** Acts in the call itself and replays. A creation that failed is forgotten: sent again, it is tried again. */
export function createOnce({ backend, make, again, limit = 1_000 }: CreateOnceOptions): CreateOnceOptions['make'] {
  const byOpId = new Map<string, Made>()
  const begin$ = (command: NewSession, opId: string, body: string): Observable<ServedSession> => {
    const served$ = new ReplaySubject<ServedSession>(1)
    const made: Made = { body, served$, session: '' }
    byOpId.set(opId, made)
    defer(() => backend.findCreated(command, opId))
      .pipe(
        defaultIfEmpty(undefined),
        mergeMap((session) => (session === undefined ? make(command, opId) : again(session, command))),
        tap({
          next: ({ session }) => {
            made.served$ = undefined
            made.session = session.id
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
    if (known.body !== body) return throwError(() => otherBody(opId))
    return known.served$ ?? again(known.session, command)
  }
}

/** What is being made stays. */
function forgetOldest(byOpId: Map<string, Made>, limit: number): void {
  for (const [opId, { served$ }] of byOpId) {
    if (byOpId.size <= limit) return
    if (served$ === undefined) byOpId.delete(opId)
  }
}

function otherBody(opId: string): Failure {
  return new Failure('bad_request', `opId "${opId}" was given to another new_session; use a new one`)
}
