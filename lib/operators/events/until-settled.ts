// A stream of events ends where the session is idle again.
import { Observable } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import { subscribeInner } from '../core/subscribe-inner.ts'

/**
 * Passes events on up to and with the next `agent_settled`, then completes and unsubscribes: after it no retry, compaction
 * or queued input follows by itself (`agent_end` may be followed by all three).
 *
 * Completes also where its source does, fails with it; buffers nothing. A run that is started from within the delivery of
 * `agent_settled` is not seen.
 */
export function untilSettled(): MonoTypeOperatorFunction<AgentEvent> {
  return (source$) =>
    new Observable((subscriber) => {
      let settled = false
      subscribeInner(source$, subscriber, {
        next: (event) => {
          if (settled) return
          settled = event.type === 'agent_settled' // before it is told: its taker may start the next run
          subscriber.next(event)
          if (settled) subscriber.complete()
        },
      })
    })
}
