// A stop flag with a replaying signal: a late subscriber is stopped at once.
// Guarantees: the flag is set before the signal fires.
import { Observable, ReplaySubject } from 'rxjs'
import type { TerminationReason } from '../events/event.ts'
import type { Failure } from '../values/failure.ts'

/** The stop of one run: the first reason wins. */
export interface StopSwitch {
  /** Why the run stops; undefined while it does not. */
  readonly reason: TerminationReason | undefined
  /** The failure, if a failure is the reason. */
  readonly failure: Failure | undefined
  /** Emits once when the run stops, at once if it already does, and completes. */
  readonly stop$: Observable<void>
  /** Sets the flag, then emits; false if a reason was set before. */
  stop(reason: TerminationReason, failure?: Failure): boolean
}

/** Creates the stop of one run: the first `stop` counts, later ones change nothing. A late subscriber gets the stop at once. */
export function createStopSwitch(): StopSwitch {
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
