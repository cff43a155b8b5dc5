// Holds the subscribers that wait for an event to be written, and notifies each once.
import { Subject } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Failure } from '../../streams/values/failure.ts'
import type { PendingRecord, SessionRecord } from '../../streams/log/log-line.ts'

type Matches = (record: SessionRecord, pending: PendingRecord) => boolean

export interface PendingAcks {
  /**
   * Emits once for the next durable record that matches; fails if writing fails first. It waits from the call on, not
   * from the subscription.
   */
  wait(matches: Matches): Observable<void>
  resolve(record: SessionRecord, pending: PendingRecord): void
  reject(failure: Failure): void
}

export function pendingAcks(): PendingAcks {
  const waiting = new Map<Subject<void>, Matches>()
  return {
    wait: (matches) => {
      const written$ = new Subject<void>()
      waiting.set(written$, matches)
      return written$
    },
    resolve: (record, pending) => {
      for (const [written$, matches] of [...waiting]) {
        if (!matches(record, pending)) continue
        waiting.delete(written$)
        written$.next()
        written$.complete()
      }
    },
    reject: (failure) => {
      const all = [...waiting.keys()]
      waiting.clear()
      for (const written$ of all) written$.error(failure)
    },
  }
}
