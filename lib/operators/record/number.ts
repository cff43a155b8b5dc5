// `seq` is given here and nowhere else: each durable event gets the one after the last, transient ones get none.
import { Observable, asyncScheduler } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import { isDurable } from '../../streams/events/event.ts'
import type { PendingRecord, SessionRecord } from '../../streams/log/log-line.ts'
import { stretch } from '../core/stretch.ts'
import { subscribeInner } from '../core/subscribe-inner.ts'

/** A record before it is written, with what it was before it was numbered. */
export interface NumberedRecord<Pending extends PendingRecord = PendingRecord> extends SessionRecord {
  readonly pending: Pending
}

/**
 * Numbers events from `head` + 1 on, each subscription anew, and gives each its time: a transient one that of the delta on
 * whose way it is. Synchronous; buffers nothing.
 */
export function number<Pending extends PendingRecord>(
  head: number,
): OperatorFunction<Pending, NumberedRecord<Pending>> {
  return (source$) =>
    new Observable((subscriber) => {
      let last = head
      subscribeInner(source$, subscriber, {
        sure: (pending) => {
          const { event, runId, opId } = pending
          const seq = isDurable(event) ? ++last : undefined
          const at = seq === undefined && stretch.at !== undefined ? stretch.at : asyncScheduler.now()
          subscriber.next({ pending, event, at, seq, runId, opId, line: undefined })
        },
      })
    })
}
