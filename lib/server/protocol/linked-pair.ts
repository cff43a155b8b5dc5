// Two transports joined in memory: what one end sends arrives at the other, in order, also when it is sent from within a delivery.
import { Observable, Subject } from 'rxjs'
import { inbox } from '../../streams/rx/inbox.ts'
import { lineLimit } from './transport.ts'
import type { IncomingLine, Transport } from './transport.ts'

/** Lines that may wait for an end that has not subscribed yet or is busy with an earlier one. */
const capacity = 100_000

/**
 * Delivers synchronously; a line sent while another is being delivered in the same direction waits behind it. An end that
 * lets more than 100,000 lines wait is cut off: both directions close. The second end is the server's: what the first one
 * sends is held to the limit of a client's line.
 */
export function linkedPair(): readonly [client: Transport, server: Transport] {
  const toClient = channel()
  const toServer = channel()
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
  incoming: Channel,
  outgoing: Channel,
  close: () => void,
  carry: (line: string) => IncomingLine,
): Transport {
  return {
    lines$: incoming.lines$,
    send: (line) => {
      // refused because it is closed: closing again changes nothing
      if (!outgoing.offer(carry(line))) close()
    },
    unsent: outgoing.unsent,
    drained$: outgoing.drained$,
    close,
  }
}

interface Channel {
  readonly lines$: Observable<IncomingLine>
  readonly drained$: Observable<void>
  unsent(): number
  offer(line: IncomingLine): boolean
  close(): void
}

/** An inbox that counts what its lines have in them. */
function channel(): Channel {
  const lines = inbox<IncomingLine>(capacity)
  const drained$ = new Subject<void>()
  let unsent = 0
  return {
    lines$: new Observable((subscriber) =>
      lines.items$.subscribe({
        next: (line) => {
          unsent -= lengthOf(line)
          subscriber.next(line)
          if (unsent === 0) drained$.next()
        },
        complete: () => {
          subscriber.complete()
        },
      }),
    ),
    drained$: drained$.asObservable(),
    unsent: () => unsent,
    offer: (line) => {
      unsent += lengthOf(line)
      return lines.offer(line)
    },
    close: () => {
      lines.close()
      drained$.complete()
    },
  }
}

/** With its line feed, as it would cross a socket. */
function lengthOf(line: IncomingLine): number {
  return 'text' in line ? line.text.length + 1 : 1
}

/** Whether the text has more than `limit` UTF-8 bytes; counted only where it could. */
function bytesPass(text: string, limit: number): boolean {
  return text.length * 3 > limit && new TextEncoder().encode(text).length > limit
}
