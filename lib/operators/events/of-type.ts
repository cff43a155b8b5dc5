// Events of the named types, and the compiler knows which.
import { filter } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { AgentEvent, EventNamed, EventType } from '../../streams/events/event.ts'

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
