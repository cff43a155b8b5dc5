// Ends a stream of events when the session is idle again.
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import { takeThrough } from '../core/take-through.ts'

/**
 * Passes events on up to and with the next `agent_settled`, then completes: no retry, compaction or queued input follows it by
 * itself, as they may follow `agent_end`. The source is unsubscribed before `agent_settled` is emitted, so a run that its
 * handler starts is not seen.
 *
 * Completes and fails with its source; buffers nothing; on unsubscribe the source is unsubscribed.
 */
export function untilSettled(): MonoTypeOperatorFunction<AgentEvent> {
  return takeThrough(({ type }) => type === 'agent_settled')
}
