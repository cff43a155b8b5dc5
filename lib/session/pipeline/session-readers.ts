// Reads the log and continues with live records, without gap or repeat; calls listeners.
import { concat, defer, from, map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import type { ReadFrom, Session } from '../contract/session.ts'
import type { Blobs } from '../../streams/log/blobs.ts'
import { loadContent } from '../../streams/log/externalise-content.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import { mapParts } from '../../streams/events/map-parts.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionBus } from './pipeline.ts'

/** Readers of the log alone, and of the log with the live records after it. */
export function sessionReaders(
  log: Pick<SessionLog, 'records' | 'blobs'>,
  { records$, events$, state$ }: Pick<Session, 'records$' | 'events$' | 'state$'>,
): Pick<Session, 'logged' | 'records' | 'events' | 'events$' | 'records$'> {
  const logged = ({ after = 0 }: ReadFrom = {}): Iterable<SessionRecord> => publishedRecords(log, state$, after)
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

/** The log up to what is published; records that are published meanwhile are read too. */
function* publishedRecords(
  log: Pick<SessionLog, 'records'>,
  state$: Session['state$'],
  after: number,
): Generator<SessionRecord, undefined> {
  if (after >= state$.value.seq) return
  for (const record of log.records(after)) {
    yield record
    if ((record.seq ?? 0) >= state$.value.seq) return
  }
}

function read(logged: () => Iterable<SessionRecord>): Observable<SessionRecord> {
  return defer(() => from(logged()))
}

/**
 * Completes an event that was read from a line with the content that other lines and blobs hold.
 * @param blobs the log's. A text stands in place of lost content
 */
function wholeEvent(event: AgentEvent, state: SessionState, blobs?: Pick<Blobs, 'read'>): AgentEvent {
  const joined = joinedEvent(event, state)
  return blobs === undefined
    ? joined
    : mapParts(
        joined,
        loadContent(blobs, () => undefined),
      )
}

function joinedEvent(event: AgentEvent, state: SessionState): AgentEvent {
  if (event.type === 'message_end' && event.message.role === 'toolResult') {
    const entry = state.entries.get(event.entryId)
    return entry === undefined ? event : { ...event, message: entry.message }
  }
  if (event.type === 'tool_execution_start' && event.args === undefined) {
    const message = state.entries.get(event.entryId)?.message
    const blocks = message?.role === 'assistant' ? message.content : []
    const call = blocks.find((block) => block.type === 'toolCall' && block.id === event.toolCallId)
    return call?.type === 'toolCall' ? { ...event, args: call.arguments } : event
  }
  return event
}

/**
 * Calls a listener with each event. A listener that throws disturbs neither the run nor the other listeners.
 * Returns the function that removes the listener. Its first throw is published as a `warning` event and printed on
 * stderr; its later throws are not: a listener that throws at every delta would fill log and screen.
 */
export function addListener({ records$, publish }: SessionBus, listener: (event: AgentEvent) => void): () => void {
  let isReported = false
  const subscription = records$.subscribe(({ event }) => {
    try {
      listener(event)
    } catch (error) {
      if (isReported) return
      isReported = true
      const warning = warningOf(event, error)
      // oxlint-disable-next-line no-console -- docs/loop.md#30: on stderr too, in case no client reads the events
      console.error(`rxpi: ${warning.message}`)
      publish({ event: warning })
    }
  })
  return () => {
    subscription.unsubscribe()
  }
}

function warningOf({ type }: AgentEvent, error: unknown): Extract<AgentEvent, { type: 'warning' }> {
  const message = `A listener failed at ${type}: ${Failure.from(error).message}`
  return { type: 'warning', code: 'listener_failed', message, context: { event: type }, recoverable: true }
}
