// A provider's stream ends at its `done`; an end without one was cut short, whatever the SDK says of it.
import { Observable } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { AssistantDelta } from '../streams/delta.ts'
import { Failure } from '../streams/failure.ts'
import { subscribeInner } from './subscribe-inner.ts'
import { noDelta } from './unfit-delta.ts'

/**
 * Passes deltas on up to and with `done`, completes there and unsubscribes; what comes after is not seen. A completion
 * without `done` becomes Failure `provider_error`, kind `early_end`; what is no delta at all one of kind `network`. Buffers
 * nothing.
 */
export function untilDone(): MonoTypeOperatorFunction<AssistantDelta> {
  return (source$) =>
    new Observable((subscriber) => {
      subscribeInner(source$, subscriber, {
        next: (delta) => {
          if (isOfBlock(delta)) {
            subscriber.next(delta)
            return
          }
          const type = typeOf(delta)
          if (!others.has(type)) subscriber.error(noDelta(delta))
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
