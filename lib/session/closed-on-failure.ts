// A session that could not be opened leaves its log to the next one: closed and unlocked before the failure is told.
import { EMPTY, catchError, concat, throwError } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import { Failure } from '../streams/failure.ts'
import type { SessionLog } from '../streams/session-log.ts'

/** The source; where it fails, its failure once the log was closed. */
export function closedOnFailure<Value>(log: SessionLog): MonoTypeOperatorFunction<Value> {
  return catchError((error: unknown) =>
    concat(
      log.close().pipe(catchError(() => EMPTY)), // the first failure is the one to tell
      throwError(() => Failure.from(error)),
    ),
  )
}
