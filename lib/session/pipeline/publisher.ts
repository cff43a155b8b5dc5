// A record and its event are told in one stretch, and whoever subscribes in between is told neither twice.
import { Observable, skip } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionRecord } from '../../streams/log/session-record.ts'
import { broadcast } from './broadcast.ts'

export interface Publisher {
  /** Live; completes with `close`. */
  readonly records$: Observable<SessionRecord>
  /** The records' events, after `records$`. A broadcast of its own: a `map` would be paid by every subscriber. */
  readonly events$: Observable<AgentEvent>
  /** Tells both; not from within itself. */
  tell(record: SessionRecord): void
  close(): void
}

/** Keeps nothing for late subscribers. One who comes while a record is told is told the next one first, on either stream. */
export function publisher(): Publisher {
  const records = broadcast<SessionRecord>()
  const events = broadcast<AgentEvent>()
  const laterEvent$ = events.value$.pipe(skip(1))
  let isTellingRecord = false
  return {
    records$: records.value$,
    events$: new Observable((subscriber) => (isTellingRecord ? laterEvent$ : events.value$).subscribe(subscriber)),
    tell: (record) => {
      isTellingRecord = true
      records.next(record)
      isTellingRecord = false
      events.next(record.event)
    },
    close: () => {
      records.complete()
      events.complete()
    },
  }
}
