// A log that was opened to answer something is left to the next one: closed and unlocked also where that failed or nobody waits for it.
import { EMPTY, catchError, concat, defer, throwError } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import { Failure } from '../values/failure.ts'
import type { SessionLog } from '../ports/session-log.ts'
import { whenLeft } from './when-left.ts'

/**
 * The source, which has closed the log or handed it on where it emits or completes. Where it fails, its failure once the log was
 * closed; where it is unsubscribed before that, the log is closed.
 */
export function closedUnlessAnswered<Value>(log: SessionLog): MonoTypeOperatorFunction<Value> {
  const closed$: Observable<never> = defer(() => log.close()).pipe(catchError(() => EMPTY)) // what failed before is the one to tell
  const closeNow = (): void => {
    closed$.subscribe()
  }
  return (source$) =>
    source$.pipe(
      whenLeft(closeNow),
      catchError((error: unknown) =>
        concat(
          closed$,
          throwError(() => Failure.from(error)),
        ),
      ),
    )
}
