// One opId makes one session: sent again it is answered with that session, while it is being made and ever after.
import { ReplaySubject, defaultIfEmpty, defer, mergeMap, tap, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { SessionHost } from '../session/session-host.ts'
import type { CommandNamed } from '../streams/command.ts'
import { Failure } from '../streams/failure.ts'
import type { ServedSession } from './served-session.ts'

export type NewSession = Omit<CommandNamed<'new_session'>, 'type'>

export interface MadeOnceOptions {
  readonly host: Pick<SessionHost, 'madeBefore'>
  make(command: NewSession, opId: string): Observable<ServedSession>
  /** A session that was made before this server was started. */
  again(session: string, command: NewSession): Observable<ServedSession>
}

interface Made {
  readonly served$: Observable<ServedSession>
  /** What was asked for, as text. */
  readonly body: string
}

/** Acts in the call itself and replays. A creation that failed is forgotten: sent again, it is tried again. */
export function madeOnce({ host, make, again }: MadeOnceOptions): MadeOnceOptions['make'] {
  const byOpId = new Map<string, Made>() // one a session at most
  return (command, opId) => {
    const { env, ...body } = command // the environment of a repeated request may differ in what does not matter
    const text = JSON.stringify(body)
    const known = byOpId.get(opId)
    if (known !== undefined) return known.body === text ? known.served$ : throwError(() => otherBody(opId))
    const replayed$ = new ReplaySubject<ServedSession>(1)
    const served$ = replayed$.asObservable()
    byOpId.set(opId, { served$, body: text })
    defer(() => host.madeBefore(command, opId))
      .pipe(
        defaultIfEmpty(undefined),
        mergeMap((made) => (made === undefined ? make(command, opId) : again(made, command))),
        tap({ error: () => byOpId.delete(opId) }),
      )
      .subscribe(replayed$)
    return served$
  }
}

function otherBody(opId: string): Failure {
  return new Failure('bad_request', `opId "${opId}" was given to another new_session; use a new one`)
}
