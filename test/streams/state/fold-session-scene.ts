// Events and the state that they fold to.
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import { isDurable } from '../../../lib/streams/events/event.ts'
import { emptySession, foldSession } from '../../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import { assistant } from '../events/samples.ts'

/** Folds events as a session records them: durable ones are numbered. */
export function foldEvents(events: readonly AgentEvent[], from: SessionState = emptySession()): SessionState {
  return events.reduce<SessionState>((state, event) => {
    const seq = isDurable(event) ? { seq: state.seq + 1 } : {}
    return foldSession(state, { event, runId: 'rrrrrrrr', ...seq })
  }, from)
}

export const start = (entryId: string, message = assistant(), parentId: string | null = null): AgentEvent => ({
  type: 'message_start',
  entryId,
  parentId,
  message,
})

export const end = (
  entryId: string,
  message: EventNamed<'message_end'>['message'],
  parentId: string | null = null,
): AgentEvent => ({
  type: 'message_end',
  entryId,
  parentId,
  message,
})
