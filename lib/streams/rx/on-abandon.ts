// Runs a rollback if the subscriber unsubscribes before the source emits, completes or fails.
import { defer, finalize, tap, EMPTY, catchError, concat, throwError } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import { Failure } from '../values/failure.ts'
import type { SessionLog } from '../ports/session-log.ts'

/** Mirrors the source; calls `act` if it is unsubscribed before it has emitted, completed or failed. */
export function onAbandon<Value>(act: () => void): MonoTypeOperatorFunction<Value> {
  return (source$) =>
    defer(() => {
      let isOver = false
      const markOver = (): void => {
        isOver = true
      }
      return source$.pipe(
        tap({ next: markOver, complete: markOver, error: markOver }),
        finalize(() => {
          if (!isOver) act()
        }),
      )
    })
}

/**
 * Mirrors a source that closes the log, or hands it on, before it emits or completes. If the source fails, the log is
 * closed first; if it is unsubscribed before, the log is closed too. Guarantees: no log stays open and locked.
 */
export function closeOnAbandon<Value>(log: SessionLog): MonoTypeOperatorFunction<Value> {
  const closed$: Observable<never> = defer(() => log.close()).pipe(catchError(() => EMPTY)) // the source's failure is the one to report
  const closeNow = (): void => {
    closed$.subscribe()
  }
  return (source$) =>
    source$.pipe(
      onAbandon(closeNow),
      catchError((error: unknown) =>
        concat(
          closed$,
          throwError(() => Failure.from(error)),
        ),
      ),
    )
}

/**
 * Mirrors a source whose first value names a session that it created. If it is unsubscribed before that value,
 * `removed$` is subscribed and runs to its end: a client that never learns the id cannot use the session. If the source
 * fails or completes, the session stays.
 * @param removed$ deletes the session; its error is ignored, and the session stays
 */
export function removeOnAbandon<Value>(removed$: Observable<unknown>): MonoTypeOperatorFunction<Value> {
  return onAbandon(() => removed$.subscribe({ error: () => undefined }))
}
