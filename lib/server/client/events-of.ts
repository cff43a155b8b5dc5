// Selects the events of a session from what a client receives.
import { filter, map } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { ClientEvent, ReceivedEvent } from '../protocol/server-frame.ts'

/**
 * The events of `client.events$(session)`, for the operators of `rxpi/operators`:
 * `client.events$(session).pipe(eventsOf(), textDeltas())`. Leaves out `attached`, `caught_up` and `lagging`, and the
 * `seq`, time and run of each event: `foldEvents` takes the values as they are.
 *
 * Completes and fails with its source; buffers nothing; on unsubscribe the source is unsubscribed.
 */
export function eventsOf(): OperatorFunction<ClientEvent, AgentEvent> {
  return (source$) =>
    source$.pipe(
      filter((received): received is ReceivedEvent => received.type === 'event'),
      map(({ event }) => event),
    )
}
