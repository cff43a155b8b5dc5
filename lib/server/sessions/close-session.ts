// Closes a session on request, and deletes one after closing it.
// Guarantees: a session with a run, a job or an open question stays open; one that another client has open is closed to
// be deleted only.
import { EMPTY, catchError, concat, defer, mergeMap, of, take, tap, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ServerBackend } from '../../services/contract/server-backend.ts'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ServedSession } from '../feed/served-session.ts'
import type { SessionCalls } from '../protocol/bounded-calls.ts'
import type { ClosedChanges } from './closed-changes.ts'
import { activityEnd } from './idle-eviction.ts'
import type { IdleEviction } from './idle-eviction.ts'
import type { SessionLifecycle } from './session-lifecycle.ts'

/** The client that sent the command, as one of those that have the session open. */
export interface ClosingClient {
  /** Whether it has opened the session or is attached to it. */
  hasJoined(session: string): boolean
  /** Ends its attachment and leaves the session. */
  detach(session: string): void
}

export interface SessionCloser {
  /** Emits when the session is closed, with false if it was not open here; fails with `busy`, `storage`. */
  close(session: string, client: ClosingClient): Observable<ResultOf<'close_session'>>
  /**
   * Closes the session if it is open here, then deletes it; other attached clients get a `session_closed` status. Fails
   * with `busy` for a session at work, and as `StoredBackend.deleteSession` does.
   */
  remove(command: CommandNamed<'delete_session'>, client: ClosingClient): Observable<ResultOf<'delete_session'>>
}

export interface SessionCloserParts {
  readonly backend: Pick<ServerBackend, 'stored'>
  readonly lifecycle: Pick<SessionLifecycle, 'byId' | 'evict'>
  readonly closed: Pick<ClosedChanges, 'change'>
  readonly calls: Pick<SessionCalls, 'hasCalls'>
  readonly eviction: Pick<IdleEviction, 'forget'>
}

export function sessionCloser({ backend, lifecycle, closed, calls, eviction }: SessionCloserParts): SessionCloser {
  /** Nothing opens the session between its end and `then$`. */
  const closeThen$ = <Result>(served: ServedSession, then$: Observable<Result>): Observable<Result> => {
    const { id } = served.session
    eviction.forget(id)
    return closed.change(id, () => concat(lifecycle.evict(served).pipe(ignoreLostLog(served)), then$))
  }
  const findOpen$ = (session: string): Observable<ServedSession | undefined> =>
    defer(() => lifecycle.byId.get(session) ?? of(undefined)).pipe(take(1))
  const isAtWork = (served: ServedSession): boolean =>
    activityEnd(served) !== undefined || calls.hasCalls(served.session.id)
  return {
    close: (session, client) =>
      findOpen$(session).pipe(
        mergeMap((served) => {
          if (served === undefined) return of({ closed: false })
          if (isAtWork(served)) throw atWork(session)
          refuseOtherClients(served, client)
          client.detach(session)
          return closeThen$(served, of({ closed: true }))
        }),
      ),
    remove: ({ type, ...command }, client) => {
      const { session } = command
      const delete$ = defer(() => backend.stored.deleteSession(command))
      return findOpen$(session).pipe(
        mergeMap((served) => {
          if (served === undefined || !holdsLog(served)) return closed.change(session, () => delete$)
          if (isAtWork(served)) throw atWork(session)
          client.detach(session)
          served.announceEnd({
            code: 'session_closed',
            message: `Another client deletes session ${session}: it is closed`,
          })
          return closeThen$(served, delete$)
        }),
        tap(() => eviction.forget(session)),
      )
    },
  }
}

/** False for a session without a file, and for one that another process writes: the store refuses to delete them. */
function holdsLog({ isStored, isOutdated, opened: { readOnly } }: ServedSession): boolean {
  return isStored && (readOnly?.code !== 'session_locked' || isOutdated())
}

function atWork(session: string): Failure {
  return new Failure('busy', `Session ${session} has a run, a job or an open question: end it, or wait for its end`)
}

/** @throws Failure `busy` */
function refuseOtherClients(served: ServedSession, client: ClosingClient): void {
  const { id } = served.session
  const others = served.presence.count$.value - (client.hasJoined(id) ? 1 : 0)
  if (others === 0) return
  const who = others === 1 ? 'Another client has' : `${others} other clients have`
  throw new Failure('busy', `${who} session ${id} open; it can be closed when they have left it`, {
    data: { clients: others },
  })
}

/** Its clients know that such a session stores nothing. */
function ignoreLostLog({ session }: ServedSession) {
  return (closing$: Observable<never>): Observable<never> =>
    closing$.pipe(
      catchError((error: unknown) => (session.readOnly === undefined ? throwError(() => Failure.from(error)) : EMPTY)),
    )
}
