// What a process that ended had asked people is resolved by what counts without an answer: nobody waits for one any more.
import { defaultOutcome } from '../streams/default-outcome.ts'
import type { AgentEvent } from '../streams/event.ts'
import type { SessionState } from '../streams/fold-session.ts'

/** A `ui_resolved` by `recovery` for each request that is open, in their order. Pure. */
export function abandonedEvents({ requests }: Pick<SessionState, 'requests'>): AgentEvent[] {
  return requests.map((request) => ({
    type: 'ui_resolved',
    requestId: request.requestId,
    outcome: defaultOutcome(request),
    by: 'recovery',
  }))
}
