// Adds to each compaction the number of messages that its summary replaces.
import { map } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { RoomEvent } from '../../operators/ports/run-ports.ts'
import type { EventNamed } from '../../streams/events/event.ts'
import type { Behavior } from '../../streams/rx/behavior.ts'
import { contextEntries } from '../../streams/state/context-messages.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'

/** Earlier summaries are not counted: their messages were counted with them. */
export function countSummarised(state$: Behavior<SessionState>): MonoTypeOperatorFunction<RoomEvent> {
  return map((event) =>
    event.type === 'compaction' ? { ...event, messages: summarisedMessages(event, state$.value) } : event,
  )
}

/** @param state the one before the compaction */
function summarisedMessages(event: EventNamed<'compaction'>, state: SessionState): number {
  const entries = contextEntries(state, event.parentId)
  const first = entries.findIndex(({ entryId }) => entryId === event.firstKeptEntryId)
  const older = first === -1 ? entries : entries.slice(0, first)
  const carried = event.carriedEntryIds ?? []
  return older.filter(({ entryId, kind }) => kind === 'entry' && !carried.includes(entryId)).length
}
