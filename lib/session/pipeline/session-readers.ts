// Who reads a log to its end and subscribes to what follows in the same synchronous stretch has no gap and no repeat.
import { concat, defer, from, map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { SessionRecord } from '../../streams/log/session-record.ts'
import type { ReadFrom, Session } from '../contract/session.ts'
import { wholeEvent } from './whole-event.ts'

/** The log, and the log with what follows. */
export function sessionReaders(
  log: Pick<SessionLog, 'records' | 'blobs'>,
  { records$, events$, state$ }: Pick<Session, 'records$' | 'events$' | 'state$'>,
): Pick<Session, 'logged' | 'records' | 'events' | 'events$' | 'records$'> {
  const logged = ({ after = 0 }: ReadFrom = {}): Iterable<SessionRecord> => log.records(after)
  return {
    records$,
    events$,
    logged,
    records: (start) =>
      concat(
        read(() => logged(start)),
        records$,
      ),
    events: (start) =>
      concat(read(() => logged(start)).pipe(map(({ event }) => wholeEvent(event, state$.value, log.blobs))), events$),
  }
}

function read(logged: () => Iterable<SessionRecord>): Observable<SessionRecord> {
  return defer(() => from(logged()))
}
