// A record and its event are told in one stretch, and whoever subscribes in between is told neither twice.
import { Observable, Subject, skip } from 'rxjs'
import type { AgentEvent } from '../streams/event.ts'
import type { SessionRecord } from '../streams/session-record.ts'

export interface Publisher {
  /** Live; completes with `close`. */
  readonly records$: Observable<SessionRecord>
  /** The records' events, after `records$`. A Subject of its own: a `map` would be paid by every subscriber. */
  readonly events$: Observable<AgentEvent>
  /** Tells both; not from within itself. */
  tell(record: SessionRecord): void
  close(): void
}

/** Keeps nothing for late subscribers. One who comes while a record is told is told the next one first, on either stream. */
export function publisher(): Publisher {
  const record$ = new Subject<SessionRecord>()
  const event$ = new Subject<AgentEvent>()
  const laterEvent$ = event$.pipe(skip(1))
  let isTellingRecord = false
  return {
    records$: new Observable((subscriber) => record$.subscribe(subscriber)),
    events$: new Observable((subscriber) => (isTellingRecord ? laterEvent$ : event$).subscribe(subscriber)),
    tell: (record) => {
      isTellingRecord = true
      record$.next(record)
      isTellingRecord = false
      event$.next(record.event)
    },
    close: () => {
      record$.complete()
      event$.complete()
    },
  }
}
