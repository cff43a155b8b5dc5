// A reader that is slow holds its own events up and nothing else: what it has not taken is read from the log later.
import { concat, defer, filter, of, repeat, takeWhile, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Client } from '../../lib/server/client/client.ts'
import type { ClientEvent } from '../../lib/server/protocol/server-frame.ts'
import type { World } from '../process/world.ts'

export interface PaceEventsOptions extends Pick<World, 'stdout'> {
  readonly client: Pick<Client, 'events$'>
  readonly session: string
  /** What of the log comes first: so many of its last events, those after a seq, or nothing. */
  readonly from: { readonly tail?: number; readonly after?: number }
  /** Pieces of messages and of tools' output too; some are missing where the reader was slow. Default false. */
  readonly deltas?: boolean
}

/**
 * A session's durable events, without gap or repeat, beginning with `attached`. While more than 1 MiB waits in stdout the
 * client is detached; then it attaches again behind the last event, and is told again what an open message has so far.
 * Nothing is held here.
 */
export function paceEvents({
  client,
  stdout,
  session,
  from,
  deltas = false,
}: PaceEventsOptions): Observable<ClientEvent> {
  return defer(() => {
    let { after } = from
    let attachments = 0
    const remember = (event: ClientEvent): void => {
      if (event.type === 'event') after = event.seq ?? after
      if (event.type !== 'attached') return
      after ??= Math.max(0, event.head - (from.tail ?? 0))
      attachments += 1
    }
    const attached$ = defer(() => {
      return client.events$(session, { deltas, ...(after === undefined ? from : { after }) })
    })
    return attached$.pipe(
      tap(remember),
      takeWhile((event) => event.type === 'attached' || !stdout.isFull(), true),
      repeat({ delay: () => concat(stdout.flushed(), of(true)) }),
      filter((event) => event.type !== 'attached' || attachments === 1),
    )
  })
}
