// What was begun for an answer is undone where nobody waits for that answer any more.
import { defer, finalize, tap, EMPTY, catchError, concat, throwError } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import { Failure } from '../values/failure.ts'
import type { SessionLog } from '../ports/session-log.ts'

/** The source; calls `act` where it is unsubscribed before it has emitted, completed or failed. */
export function onAbandon<Value>(act: () => void): MonoTypeOperatorFunction<Value> {
  return (source$) =>
    defer(() => {
      let isOver = false
      const over = (): void => {
        isOver = true
      }
      return source$.pipe(
        tap({ next: over, complete: over, error: over }),
        finalize(() => {
          if (!isOver) act()
        }),
      )
    })
}

// A log that was opened to answer something is left to the next one: closed and unlocked also where that failed or nobody waits for it.

/**
 * The source, which has closed the log or handed it on where it emits or completes. Where it fails, its failure once the log was
 * closed; where it is unsubscribed before that, the log is closed.
 */
export function closeOnAbandon<Value>(log: SessionLog): MonoTypeOperatorFunction<Value> {
  const closed$: Observable<never> = defer(() => log.close()).pipe(catchError(() => EMPTY)) // what failed before is the one to tell
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

// A session that was made for an answer is worth nothing to who never hears its id: it goes again where nobody waits any more.

/**
 * The source, whose first value names a session that it made. Where it is unsubscribed before that value, `removed$` is subscribed, and
 * runs to its end whatever follows. Where the source fails or completes, what it made stays: a failure tells what that is.
 * @param removed$ what it fails with has nobody left to be told, and the session stays
 */
export function removeOnAbandon<Value>(removed$: Observable<unknown>): MonoTypeOperatorFunction<Value> {
  return onAbandon(() => removed$.subscribe({ error: () => undefined }))
}
