// `seq` is given here and nowhere else: each durable event gets the one after the last, transient ones get none.
import { asyncScheduler, map } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import { isDurable } from '../streams/event.ts'
import type { PendingRecord } from '../streams/session-record.ts'

/** A record before it is written. */
export interface NumberedRecord<Pending extends PendingRecord = PendingRecord> {
  readonly pending: Pending
  readonly at: number
  /** Of a durable event. */
  readonly seq: number | undefined
}

/** Numbers events from `head` + 1 on and gives each its time. Synchronous; buffers nothing. */
export function number<Pending extends PendingRecord>(
  head: number,
): OperatorFunction<Pending, NumberedRecord<Pending>> {
  return (source$) => {
    let last = head
    return source$.pipe(
      map((pending) => ({ pending, at: asyncScheduler.now(), seq: isDurable(pending.event) ? ++last : undefined })),
    )
  }
}
