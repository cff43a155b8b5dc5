// A stream that says nothing for too long is a stall: one timer, re-armed when it fires, not one a value.
import { Observable, asyncScheduler, timer } from 'rxjs'
import type { MonoTypeOperatorFunction, Subscription } from 'rxjs'
import { Failure } from '../streams/failure.ts'
import { subscribeInner } from './subscribe-inner.ts'

export interface IdleLimitOptions<Value = unknown> {
  /** Milliseconds until the first value that counts; 0 = no limit. */
  readonly first: number
  /** Milliseconds between values that count; 0 = no limit. */
  readonly each: number
  /** Whether a value counts; one that does not is passed on, and the clock runs on. Default: every value counts. */
  readonly counts?: (value: Value) => boolean
}

/** The longest delay that a timer keeps; a longer one would fire at once (RXJS.md 20). */
export const longestDelay = 2 ** 31 - 1

/**
 * Passes values on and fails with Failure `provider_error`, kind `stall`, when none that counts came for the given time,
 * counted from the subscription and then from one to the next. A throw of `counts` fails it too. Buffers nothing; on
 * unsubscribe or end the timer is cleared.
 * @throws Failure `bad_request` for a limit above 2³¹−1
 */
export function idleLimit<Value>({ first, each, counts }: IdleLimitOptions<Value>): MonoTypeOperatorFunction<Value> {
  for (const limit of [first, each]) {
    if (!(limit >= 0 && limit <= longestDelay))
      throw new Failure('bad_request', `An idle limit of ${limit} ms is not between 0 and ${longestDelay}`)
  }
  return (source$) =>
    new Observable((subscriber) => {
      let last = asyncScheduler.now()
      let limit = first
      let armed: Subscription | undefined

      const arm = (delay: number): void => {
        armed = timer(delay).subscribe(check)
      }
      const check = (): void => {
        const left = last + limit - asyncScheduler.now()
        if (left > 0) arm(left)
        else subscriber.error(stall(limit))
      }

      const counted = (): void => {
        last = asyncScheduler.now()
        if (limit === each) return
        limit = each
        armed?.unsubscribe()
        if (each > 0) arm(each)
      }

      subscriber.add(() => armed?.unsubscribe())
      if (first > 0) arm(first)
      subscribeInner(source$, subscriber, {
        next: (value) => {
          if (counts === undefined || counts(value)) counted()
          subscriber.next(value)
        },
      })
    })
}

function stall(limit: number): Failure {
  const message = `The provider sent nothing for ${limit / 1000} s; the limit is settings.limits.idleMs`
  return new Failure('provider_error', message, { data: { kind: 'stall' } })
}
