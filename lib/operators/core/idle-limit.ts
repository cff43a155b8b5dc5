// A stream that says nothing for too long is a stall.
import { Observable } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import { checkIdleTimes, idleWatch } from './idle-watch.ts'
import type { IdleTimes } from './idle-watch.ts'
import { subscribeInner } from './subscribe-inner.ts'

export interface IdleLimitOptions<Value = unknown> extends IdleTimes {
  /** Whether a value counts; one that does not is passed on, and the clock runs on. Default: every value counts. */
  readonly counts?: (value: Value) => boolean
}

/**
 * Passes values on and fails with Failure `provider_error`, kind `stall`, when none that counts came for the given time,
 * counted from the subscription and then from one to the next; while `asked$` is true that time stands still. A throw of `counts` fails it too. Buffers nothing; on
 * unsubscribe or end the timer is cleared.
 * @throws Failure `bad_request` for a limit above 2³¹−1
 */
export function idleLimit<Value>({ counts, ...times }: IdleLimitOptions<Value>): MonoTypeOperatorFunction<Value> {
  checkIdleTimes(times)
  return (source$) =>
    new Observable((subscriber) => {
      const watch = idleWatch(times, (failure) => {
        subscriber.error(failure)
      })
      subscriber.add(watch.end)
      subscribeInner(source$, subscriber, {
        next: (value) => {
          if (counts === undefined || counts(value)) watch.counted()
          subscriber.next(value)
        },
      })
    })
}
