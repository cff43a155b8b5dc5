// What was begun to be opened is closed in the end, also where nobody waits for it any more.
import { EMPTY, ReplaySubject, catchError, concat, defer, map, merge, mergeMap, of, tap, throwError } from 'rxjs'
import type { Observable, Unsubscribable } from 'rxjs'
import { shareOnce } from '../../streams/rx/share-once.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { OpenedSession } from '../../services/contract/server-backend.ts'
import { servedSession } from '../feed/served-session.ts'
import type { ServedSession } from '../feed/served-session.ts'

/** How an opening is found by others, while it lasts and afterwards; both are called synchronously with what they tell. */
export interface Registry {
  found(served$: Observable<ServedSession>): void
  failed(): void
}

export interface BeginOptions extends Partial<Registry> {
  readonly endWithLastClient?: boolean | undefined
  /** Called when it is open; what comes back is unsubscribed when it is closed. Default: nothing. */
  readonly watch?: (served: ServedSession) => Unsubscribable
}

export interface Openings {
  /** What is open or being opened, by session id. */
  readonly byId: Map<string, Observable<ServedSession>>
  /** Those that are open now. */
  readonly served: ReadonlySet<ServedSession>
  /** Starts at once and replays; runs on when its asker goes, for others may wait for the same session. */
  begin(opening: () => Observable<OpenedSession>, options?: BeginOptions): Observable<ServedSession>
  /**
   * Closes one session: from the call on it is not open here. A failure is told, and told again by `close`. Where all are being
   * closed, it waits for that alone.
   */
  rest(served: ServedSession): Observable<never>
  /** Begins no more and closes everything that was opened, then fails with the first failure, if any, or completes. */
  close(): Observable<never>
}

export function openings(): Openings {
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
    begin(opening, { found, failed, endWithLastClient, watch } = {}) {
      if (closing) return throwError(() => shuttingDown())
      const served$ = new ReplaySubject<ServedSession>(1)
      begun.add(served$)
      found?.(served$)
      forgetWhenOver(served$, { byId, begun, open })
      const opened$ = defer(opening).pipe(
        map((opened) => servedSession(opened, { channel: ++channels, endWithLastClient })),
      )
      opened$.subscribe({
        next: (served) => {
          byId.set(served.session.id, served$)
          open.set(served, { served$, watching: closing ? undefined : watch?.(served) })
          served$.next(served)
        },
        error: (error: unknown) => {
          begun.delete(served$)
          failed?.()
          served$.error(Failure.from(error))
        },
        complete: () => served$.complete(),
      })
      return served$.asObservable()
    },
    rest: (served) => (closing ? EMPTY : closeOne(served, { byId, begun, open })),
    close() {
      return closed$
    },
  }
}

interface Opened {
  readonly served$: Observable<ServedSession>
  readonly watching: Unsubscribable | undefined
}

function closeOne(served: ServedSession, { byId, begun, open }: Kept): Observable<never> {
  const served$ = open.get(served)?.served$
  if (served$ === undefined) return EMPTY
  leave(served, served$, { byId, open })
  return served.session.close().pipe(tap({ complete: () => begun.delete(served$) }))
}

function leave(
  served: ServedSession,
  served$: Observable<ServedSession>,
  { byId, open }: Pick<Kept, 'byId' | 'open'>,
): void {
  const { id } = served.session
  open.get(served)?.watching?.unsubscribe()
  open.delete(served)
  if (byId.get(id) === served$) byId.delete(id)
}

interface Kept {
  readonly byId: Map<string, Observable<ServedSession>>
  readonly begun: Set<Observable<ServedSession>>
  readonly open: Map<ServedSession, Opened>
}

/** A session that closed itself is not there any more. */
function forgetWhenOver(served$: Observable<ServedSession>, { byId, begun, open }: Kept): void {
  const over$ = served$.pipe(
    mergeMap((served) => concat(served.over$, of(served))),
    catchError(() => EMPTY), // an opening that failed is told to whom it concerns
  )
  over$.subscribe((served) => {
    begun.delete(served$)
    leave(served, served$, { byId, open })
  })
}

function closeAll(begun: readonly Observable<ServedSession>[]): Observable<never> {
  const failures: unknown[] = []
  const closings = begun.map((served$) =>
    served$.pipe(
      catchError(() => EMPTY), // an opening that failed has been told to whom it concerns, and left nothing to close
      mergeMap((served) => served.session.close()),
      catchError((error: unknown) => {
        failures.push(error)
        return EMPTY
      }),
    ),
  )
  const outcome$ = defer(() => (failures.length === 0 ? EMPTY : throwError(() => Failure.from(failures[0]))))
  return concat(merge(...closings), outcome$)
}

function shuttingDown(): Failure {
  return new Failure('cancelled', 'The server is shutting down and opens no session any more')
}
