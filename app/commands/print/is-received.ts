// What a client is told is an event of the session, or something about the telling itself.
import type { ClientEvent, ReceivedEvent } from '../../../lib/server/protocol/server-frame.ts'

export function isReceived(event: ClientEvent): event is ReceivedEvent {
  return event.type === 'event'
}
