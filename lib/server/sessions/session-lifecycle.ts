// Opens, evicts and closes a server's sessions.
// Guarantees: every opening that began is closed in the end, even if its caller has gone.
import { EMPTY, ReplaySubject, catchError, concat, defer, map, merge, mergeMap, of, tap, throwError } from 'rxjs'
import type { Observable, Unsubscribable } from 'rxjs'
import { shareOnce } from '../../streams/rx/share-once.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { OpenedSession } from '../../services/contract/server-backend.ts'
import { servedSession } from '../feed/served-session.ts'
import type { ServeOptions, ServedSession } from '../feed/served-session.ts'

/** Publishes an opening, so that others can join it; both are called synchronously. */
export interface OpeningRegistry {
  onBegin(served$: Observable<ServedSession>): void
  onFailure(): void
}

export interface BeginOptions extends Partial<OpeningRegistry>, Pick<ServeOptions, 'endWithLastClient' | 'isStored'> {
  /** Called when the session is open; the result is unsubscribed when it is closed. Default: nothing. */
  readonly watch?: (served: ServedSession) => Unsubscribable
}

export interface SessionLifecycle {
  /** Sessions that are open or being opened, by id. */
  readonly byId: Map<string, Observable<ServedSession>>
  /** The open sessions. */
  readonly served: ReadonlySet<ServedSession>
  /** Starts at once and replays; goes on if the caller unsubscribes, because others may wait for the same session. */
  begin(opening: () => Observable<OpenedSession>, options?: BeginOptions): Observable<ServedSession>
  /**
   * Closes one session; from the call on it is not open. `close` reports a failure again. Does nothing once `close` was
   * called.
   */
  evict(served: ServedSession): Observable<never>
  /** Opens no more sessions and closes all, then fails with the first failure, if any, or completes. */
  close(): Observable<never>
}

export function sessionLifecycle(): SessionLifecycle {
  const byId = new Map<string, Observable<ServedSession>>()
  const begun = new Set<Observable<ServedSession>>()
  const open = new Map<ServedSession, Opened>()
  let channels = 0
  let closing = false
  const closed$ = defer(() => {
    closing = true
    for (const { watching } of open.values()) watching?.unsubscribe()
    return closeAll([...begun])
  }).pipe(shareOnce())

  return {
    byId,
    get served() {
      return new Set(open.keys())
    },
    begin(opening, { onBegin, onFailure, watch, ...options } = {}) {
      if (closing) return throwError(() => shuttingDown())
      const replay$ = new ReplaySubject<ServedSession>(1)
      const served$ = replay$.asObservable()
      begun.add(served$)
      onBegin?.(served$)
      removeWhenClosed(served$, { byId, begun, open })
      const opened$ = defer(opening).pipe(map((opened) => servedSession(opened, { channel: ++channels, ...options })))
      opened$.subscribe({
        next: (served) => {
          byId.set(served.session.id, served$)
          open.set(served, { served$, watching: closing ? undefined : watch?.(served) })
          replay$.next(served)
        },
        error: (error: unknown) => {
          begun.delete(served$)
          onFailure?.()
          replay$.error(Failure.from(error))
        },
        complete: () => replay$.complete(),
      })
      return served$
    },
    evict: (served) => (closing ? EMPTY : closeOne(served, { byId, begun, open })),
    close() {
      return closed$
    },
  }
}

interface Opened {
  readonly served$: Observable<ServedSession>
  readonly watching: Unsubscribable | undefined
}

function closeOne(served: ServedSession, { byId, begun, open }: LifecycleState): Observable<never> {
  const served$ = open.get(served)?.served$
  if (served$ === undefined) return EMPTY
  remove(served, served$, { byId, open })
  const forget = (): void => void begun.delete(served$)
  // a lost log cannot be synced, and its clients know that
  return served.session
    .close()
    .pipe(tap(served.session.readOnly === undefined ? { complete: forget } : { complete: forget, error: forget }))
}

function remove(
  served: ServedSession,
  served$: Observable<ServedSession>,
  { byId, open }: Pick<LifecycleState, 'byId' | 'open'>,
): void {
  const { id } = served.session
  open.get(served)?.watching?.unsubscribe()
  open.delete(served)
  if (byId.get(id) === served$) byId.delete(id)
}

interface LifecycleState {
  readonly byId: Map<string, Observable<ServedSession>>
  readonly begun: Set<Observable<ServedSession>>
  readonly open: Map<ServedSession, Opened>
}

/** Removes a session that closes itself. */
function removeWhenClosed(served$: Observable<ServedSession>, { byId, begun, open }: LifecycleState): void {
  const over$ = served$.pipe(
    mergeMap((served) => concat(served.over$, of(served))),
    catchError(() => EMPTY), // the caller of the opening got the failure
  )
  over$.subscribe((served) => {
    begun.delete(served$)
    remove(served, served$, { byId, open })
  })
}

function closeAll(begun: readonly Observable<ServedSession>[]): Observable<never> {
  const failures: unknown[] = []
  const closings = begun.map((served$) =>
    served$.pipe(
      catchError(() => EMPTY), // the caller of the opening got the failure, and nothing is left to close
      mergeMap((served) => {
        const isLost = served.session.readOnly !== undefined // its clients know that it stores nothing
        return served.session.close().pipe(
          catchError((error: unknown) => {
            if (!isLost) failures.push(error)
            return EMPTY
          }),
        )
      }),
    ),
  )
  const outcome$ = defer(() => (failures.length === 0 ? EMPTY : throwError(() => Failure.from(failures[0]))))
  return concat(merge(...closings), outcome$)
}

function shuttingDown(): Failure {
  return new Failure('cancelled', 'The server is shutting down and opens no more sessions')
}
