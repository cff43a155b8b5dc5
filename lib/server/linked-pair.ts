// Two transports joined in memory: what one end sends arrives at the other, in order, also when it is sent from within a delivery.
import { Observable } from 'rxjs'
import { inbox } from '../streams/inbox.ts'
import type { Inbox } from '../streams/inbox.ts'
import { lineLimit } from './line-limit.ts'
import type { IncomingLine, Transport } from './transport.ts'

/** Lines that may wait for an end that has not subscribed yet or is busy with an earlier one. */
const capacity = 100_000

/**
 * Delivers synchronously; a line sent while another is being delivered in the same direction waits behind it. An end that
 * lets more than 100,000 lines wait is cut off: both directions close. The second end is the server's: what the first one
 * sends is held to the limit of a client's line.
 */
export function linkedPair(): readonly [client: Transport, server: Transport] {
  const toClient = inbox<IncomingLine>(capacity)
  const toServer = inbox<IncomingLine>(capacity)
  const close = (): void => {
    toClient.close()
    toServer.close()
  }
  return [
    end(toClient, toServer, close, (line) => (bytesPass(line, lineLimit) ? { problem: 'too_large' } : { text: line })),
    end(toServer, toClient, close, (line) => ({ text: line })),
  ]
}

function end(
  incoming: Inbox<IncomingLine>,
  outgoing: Inbox<IncomingLine>,
  close: () => void,
  carry: (line: string) => IncomingLine,
): Transport {
  const offer = (line: string): void => {
    // refused because it is closed: closing again changes nothing
    if (!outgoing.offer(carry(line))) close()
  }
  return { lines$: new Observable((subscriber) => incoming.items$.subscribe(subscriber)), send: offer, close }
}

/** Whether the text has more than `limit` UTF-8 bytes; counted only where it could. */
function bytesPass(text: string, limit: number): boolean {
  return text.length * 3 > limit && new TextEncoder().encode(text).length > limit
}
