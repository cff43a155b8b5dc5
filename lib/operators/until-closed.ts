// A hand-written inner subscription ends with its outer one, also while it is emitting synchronously.
import { Subject, takeUntil } from 'rxjs'
import type { MonoTypeOperatorFunction, Subscriber } from 'rxjs'

/** Completes the source when `subscriber` is torn down; one such operator serves all inner subscriptions of it. */
export function untilClosed<Value>(subscriber: Subscriber<unknown>): MonoTypeOperatorFunction<Value> {
  const closed$ = new Subject<void>()
  subscriber.add(() => {
    closed$.next()
  })
  return takeUntil(closed$)
}
