// A provider's stream ends at its `done`; an end without one was cut short, whatever the SDK says of it.
import { Observable } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { AssistantDelta } from '../streams/delta.ts'
import { Failure } from '../streams/failure.ts'
import { subscribeInner } from './subscribe-inner.ts'

/**
 * Passes deltas on up to and with `done`, completes there and unsubscribes; what comes after is not seen. A completion
 * without `done` becomes Failure `provider_error`, kind `early_end`. Buffers nothing.
 */
export function untilDone(): MonoTypeOperatorFunction<AssistantDelta> {
  return (source$) =>
    new Observable((subscriber) => {
      subscribeInner(source$, subscriber, {
        next: (delta) => {
          subscriber.next(delta)
          if (delta.type === 'done') subscriber.complete()
        },
        complete: () => {
          if (!subscriber.closed) subscriber.error(earlyEnd())
        },
      })
    })
}

function earlyEnd(): Failure {
  const message = "The provider's answer ended before it was complete; it may be tried again"
  return new Failure('provider_error', message, { data: { kind: 'early_end' } })
}
