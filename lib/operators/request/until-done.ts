// A provider's stream ends at its `done`; an end without one was cut short, whatever the SDK says of it.
import { Observable } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import { checkIdleTimes, idleWatch } from '../core/idle-watch.ts'
import type { IdleTimes } from '../core/idle-watch.ts'
import { stretch } from '../core/stretch.ts'
import { subscribeInner } from '../core/subscribe-inner.ts'
import { notADelta } from '../../streams/messages/delta.ts'

const noLimit: IdleTimes = { first: 0, each: 0 }

/**
 * Passes deltas on up to and with `done`, completes there and unsubscribes; what comes after is not seen. A completion
 * without `done` becomes Failure `provider_error`, kind `early_end`; what is no delta at all one of kind `network`. Buffers
 * nothing.
 *
 * With `idle` it fails as `idleLimit` does, in the same step of a delta's way: `start` and `usage` say that somebody is
 * there, not that the model says anything (LOOP 26), so that a delta of a block is what counts.
 * @throws Failure `bad_request` for an idle limit above 2³¹−1
 */
export function untilDone(idle: IdleTimes = noLimit): MonoTypeOperatorFunction<AssistantDelta> {
  checkIdleTimes(idle)
  return (source$) =>
    new Observable((subscriber) => {
      const watch = idleWatch(idle, (failure) => {
        subscriber.error(failure)
      })
      subscriber.add(watch.end)
      subscribeInner(source$, subscriber, {
        sure: (delta) => {
          if (isOfBlock(delta)) {
            const outer = stretch.at
            stretch.at = watch.counted()
            try {
              subscriber.next(delta)
            } finally {
              stretch.at = outer
            }
            return
          }
          const type = typeOf(delta)
          if (!others.has(type)) subscriber.error(notADelta(delta))
          subscriber.next(delta)
          if (type === 'done') subscriber.complete()
        },
        complete: () => {
          if (!subscriber.closed) subscriber.error(earlyEnd())
        },
      })
    })
}

const others = new Set<unknown>(['start', 'usage', 'done'])

/** `unknown`: a provider may be another's, and not bound by our types. */
function isOfBlock(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'contentIndex' in value
}

function typeOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
}

function earlyEnd(): Failure {
  const message = "The provider's answer ended before it was complete; it may be tried again"
  return new Failure('provider_error', message, { data: { kind: 'early_end' } })
}
