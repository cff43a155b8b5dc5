// Closes a session on request, and deletes one after closing it.
// Guarantees: a session with a run, a job, an open question or another client stays open.
import { EMPTY, catchError, concat, defer, mergeMap, of, take, throwError } from 'rxjs'
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
  /** Closes the session if it is idle and no client has it open, then removes it; fails as `StoredBackend.deleteSession` does. */
  remove(command: CommandNamed<'delete_session'>): Observable<ResultOf<'delete_session'>>
}

export interface SessionCloserParts {
  readonly backend: Pick<ServerBackend, 'stored'>
  readonly lifecycle: Pick<SessionLifecycle, 'byId' | 'evict'>
  readonly closed: Pick<ClosedChanges, 'change'>
  readonly calls: Pick<SessionCalls, 'hasCalls'>
  readonly eviction: Pick<IdleEviction, 'forget'>
}

export function sessionCloser({ backend, lifecycle, closed, calls, eviction }: SessionCloserParts): SessionCloser {
  const end$ = (served: ServedSession): Observable<{ closed: boolean }> => {
    const { session } = served
    eviction.forget(session.id)
    return closed.change(session.id, () =>
      concat(lifecycle.evict(served).pipe(ignoreLostLog(served)), of({ closed: true })),
    )
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
          refuseBusy(served, client, isAtWork(served))
          client.detach(session)
          return end$(served)
        }),
      ),
    remove: ({ type, ...command }) =>
      findOpen$(command.session).pipe(
        mergeMap((served) => {
          // the lock refuses the removal of any other open session
          const isIdle = served?.presence.count$.value === 0 && !isAtWork(served)
          return isIdle ? end$(served) : of(undefined)
        }),
        mergeMap(() => closed.change(command.session, () => backend.stored.deleteSession(command))),
      ),
  }
}

/** @throws Failure `busy` */
function refuseBusy(served: ServedSession, client: ClosingClient, isAtWork: boolean): void {
  const { id } = served.session
  if (isAtWork) throw new Failure('busy', `Session ${id} is at work: stop its run and its jobs, or wait for their end`)
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
