// What is exported is whole: a result has the content that stands on another line of the log, or beside it.
import type { Blobs } from '../../streams/log/blobs.ts'
import { loadContent } from '../../streams/log/externalise-content.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { emptySession, foldSession } from '../../streams/state/fold-session.ts'
import type { SessionHeader } from '../../streams/log/log-line.ts'
import { mapParts } from '../../streams/events/map-parts.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'

/** The part of a SessionLog that is read. */
export interface LogToExport {
  readonly header: SessionHeader
  records(): Iterable<SessionRecord>
  /** What it keeps aside. Absent: nothing. */
  readonly blobs?: Pick<Blobs, 'read'> | undefined
}

export interface WholeRecord {
  /** Unix milliseconds. */
  readonly at: number
  readonly event: AgentEvent
}

/** The durable events of a log in order, each as it was in process; in the place of content that is lost stands a text. */
export function* wholeRecords(log: LogToExport): Generator<WholeRecord, void> {
  const { blobs } = log
  const back = blobs === undefined ? undefined : loadContent(blobs, () => undefined)
  let state = emptySession()
  for (const record of log.records()) {
    state = foldSession(state, record)
    const { at, event } = record
    const entry = event.type === 'message_end' ? state.entries.get(event.entryId) : undefined
    const joined = entry === undefined || event.type !== 'message_end' ? event : { ...event, message: entry.message }
    yield { at, event: back === undefined ? joined : mapParts(joined, back) }
  }
}

/** The header's title, until the session was given another. */
export function titleAfter(before: string | undefined, event: AgentEvent): string | undefined {
  if (event.type !== 'session_info_change') return before
  const { title } = event.to
  return typeof title === 'string' ? title : before
}
