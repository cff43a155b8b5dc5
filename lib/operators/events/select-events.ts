// Selects events: by type, up to the end of a run, and those that say whether a run is on.
import { distinctUntilChanged, filter, map, startWith } from 'rxjs'
import type { OperatorFunction, MonoTypeOperatorFunction } from 'rxjs'
import type { AgentEvent, EventNamed, EventType } from '../../streams/events/event.ts'
import { takeThrough } from '../core/take-through.ts'

/**
 * Passes on the events of the given types, narrowed to them: `events$.pipe(ofType('turn_end', 'agent_end'))`.
 *
 * Ends and fails with its source; buffers nothing; on unsubscribe the source is unsubscribed.
 */
export function ofType<Type extends EventType>(
  ...types: readonly [Type, ...Type[]]
): OperatorFunction<AgentEvent, EventNamed<Type>> {
  const wanted: ReadonlySet<EventType> = new Set(types)
  return filter((event): event is EventNamed<Type> & AgentEvent => wanted.has(event.type))
}

/**
 * Passes events on up to and with the next `agent_settled`, then completes: no retry, compaction or queued input
 * follows it by itself, as they may follow `agent_end`. The source is unsubscribed before `agent_settled` is emitted,
 * so a run that its handler starts is not seen.
 *
 * Completes and fails with its source; buffers nothing; on unsubscribe the source is unsubscribed.
 */
export function untilSettled(): MonoTypeOperatorFunction<AgentEvent> {
  return takeThrough(({ type }) => type === 'agent_settled')
}

/**
 * Whether a run is on: `initial` at once, true from `agent_start`, false from `agent_settled`; each change once. The
 * agent is still running between `agent_end` and `agent_settled`. For a session that may be at work already, pass
 * `session.state$.value.running !== undefined`.
 *
 * Completes and fails with its source; buffers nothing; on unsubscribe the source is unsubscribed.
 */
export function isRunning(initial = false): OperatorFunction<AgentEvent, boolean> {
  return (source$) =>
    source$.pipe(
      filter(({ type }) => type === 'agent_start' || type === 'agent_settled'),
      map(({ type }) => type === 'agent_start'),
      startWith(initial),
      distinctUntilChanged(),
    )
}
