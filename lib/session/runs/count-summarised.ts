// Adds to each compaction the number of messages that its summary stands for.
import { map } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { MakeRoom, RoomEvent } from '../../operators/ports/run-ports.ts'
import type { EventNamed } from '../../streams/events/event.ts'
import type { Behavior } from '../../streams/rx/behavior.ts'
import { contextEntries } from '../../streams/state/context-messages.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { SessionCompaction } from './session-compaction.ts'

/** Earlier summaries are not counted: their messages were counted with them. */
export function countSummarised(compaction: SessionCompaction, state$: Behavior<SessionState>): SessionCompaction {
  const withCount$: MonoTypeOperatorFunction<RoomEvent> = map((event) =>
    event.type === 'compaction' ? { ...event, messages: summarisedMessages(event, state$.value) } : event,
  )
  return {
    forRun: () => {
      const { compactFirst, makeRoom } = compaction.forRun()
      const makeCountedRoom$: MakeRoom = (overflow) => makeRoom(overflow).pipe(withCount$)
      return { compactFirst: () => compactFirst()?.pipe(withCount$), makeRoom: makeCountedRoom$ }
    },
    compactNow: (focus) => compaction.compactNow(focus).pipe(withCount$),
  }
}

/** @param state the one before the compaction */
function summarisedMessages(
  { parentId, firstKeptEntryId, carriedEntryIds = [] }: EventNamed<'compaction'>,
  state: SessionState,
): number {
  const entries = contextEntries(state, parentId)
  const first = entries.findIndex(({ entryId }) => entryId === firstKeptEntryId)
  const older = first === -1 ? entries : entries.slice(0, first)
  return older.filter(({ entryId, kind }) => kind === 'entry' && !carriedEntryIds.includes(entryId)).length
}
