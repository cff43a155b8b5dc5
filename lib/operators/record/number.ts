// Assigns `seq`: each durable event gets the number after the last one, transient events get none.
import { asyncScheduler, defer, map } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import { isDurable } from '../../streams/events/event.ts'
import type { PendingRecord, SessionRecord } from '../../streams/log/log-line.ts'

/** A record before it is written, together with the pending record that it was made of. */
export interface NumberedRecord<Pending extends PendingRecord = PendingRecord> extends SessionRecord {
  readonly pending: Pending
}

/** Numbers events from `head` + 1 on, each subscription anew, and stamps each with the time. Synchronous; buffers nothing. */
export function number<Pending extends PendingRecord>(
  head: number,
): OperatorFunction<Pending, NumberedRecord<Pending>> {
  return (source$) =>
    defer(() => {
      let last = head
      return source$.pipe(
        map((pending) => {
          const { event, runId, opId } = pending
          const seq = isDurable(event) ? ++last : undefined
          return { pending, event, at: asyncScheduler.now(), seq, runId, opId, line: undefined }
        }),
      )
    })
}
