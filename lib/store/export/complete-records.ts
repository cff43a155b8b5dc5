// Reads the records of a log with the content that they store on another line or in a blob.
import type { AgentEvent } from '../../streams/events/event.ts'
import { mapParts } from '../../streams/events/map-parts.ts'
import type { Blobs } from '../../streams/log/blobs.ts'
import { loadContent } from '../../streams/log/externalise-content.ts'
import type { SessionHeader, SessionRecord } from '../../streams/log/log-line.ts'
import { emptySession, foldSession } from '../../streams/state/fold-session.ts'

/** The readable part of a SessionLog. */
export interface LogToExport {
  readonly header: SessionHeader
  records(): Iterable<SessionRecord>
  /** The log's blobs. Absent: none. */
  readonly blobs?: Pick<Blobs, 'read'> | undefined
}

interface CompleteRecord {
  /** Unix milliseconds. */
  readonly at: number
  readonly event: AgentEvent
}

/** The durable events of a log in order, with their full content; a text replaces lost content. */
export function* completeRecords(log: LogToExport): Generator<CompleteRecord, void> {
  const { blobs } = log
  const restorePart = blobs === undefined ? undefined : loadContent(blobs, () => undefined)
  let state = emptySession()
  for (const record of log.records()) {
    state = foldSession(state, record)
    const { at, event } = record
    const entry = event.type === 'message_end' ? state.entries.get(event.entryId) : undefined
    const joined = entry === undefined || event.type !== 'message_end' ? event : { ...event, message: entry.message }
    yield { at, event: restorePart === undefined ? joined : mapParts(joined, restorePart) }
  }
}
