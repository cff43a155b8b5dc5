// Stopping is a flag that is set first and a signal that replays: who subscribes after the stop is stopped at once.
import { Observable, ReplaySubject } from 'rxjs'
import type { TerminationReason } from '../events/event.ts'
import type { Failure } from '../values/failure.ts'

/** One run's stop: the first reason wins. */
export interface StopSwitch {
  /** Why the run is to stop; undefined while it is not. */
  readonly reason: TerminationReason | undefined
  /** What failed, where a failure is the reason. */
  readonly failure: Failure | undefined
  /** Emits once when the run is to stop — at once, where it is already — and completes. */
  readonly stop$: Observable<void>
  /** Sets the flag, then tells; false where a reason was set before. */
  stop(reason: TerminationReason, failure?: Failure): boolean
}

export function stopSwitch(): StopSwitch {
  const signal$ = new ReplaySubject<void>(1)
  let first: TerminationReason | undefined
  let why: Failure | undefined
  return {
    get reason() {
      return first
    },
    get failure() {
      return why
    },
    stop$: new Observable((subscriber) => signal$.subscribe(subscriber)),
    stop: (reason, failure) => {
      if (first !== undefined) return false
      first = reason
      why = failure
      signal$.next()
      signal$.complete()
      return true
    },
  }
}
