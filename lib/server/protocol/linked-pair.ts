// Links two transports in memory.
// The lines of one end arrive at the other, in order, even if sent during a delivery.
import { Observable, Subject } from 'rxjs'
import { inbox } from '../../streams/rx/inbox.ts'
import { isLongerThan, lineLimit } from './transport.ts'
import type { IncomingLine, Transport } from './transport.ts'

/** Lines that may wait for an end that has not subscribed or is busy with an earlier line. */
const capacity = 100_000

/**
 * Delivers synchronously; a line sent during a delivery in the same direction waits after it. If more than 100,000
 * lines wait for an end, both directions close. The second end is the server's: a line of the first one over the limit
 * of a client's line arrives as `too_large`.
 */
export function linkedPair(): readonly [client: Transport, server: Transport] {
  const toClient = channel()
  const toServer = channel()
  const close = (): void => {
    toClient.close()
    toServer.close()
  }
  return [
    createEnd(toClient, toServer, close, (line) =>
      isLongerThan(line, lineLimit) ? { problem: 'too_large' } : { text: line },
    ),
    createEnd(toServer, toClient, close, (line) => ({ text: line })),
  ]
}

function createEnd(
  incoming: Channel,
  outgoing: Channel,
  close: () => void,
  toIncoming: (line: string) => IncomingLine,
): Transport {
  return {
    lines$: incoming.lines$,
    send: (line) => {
      // full, or closed: closing again changes nothing
      if (!outgoing.offer(toIncoming(line))) close()
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

/** An inbox that counts the length of its lines. */
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

/** Counts the line feed, as on a socket. */
function lengthOf(line: IncomingLine): number {
  return 'text' in line ? line.text.length + 1 : 1
}
