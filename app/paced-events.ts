// A reader that is slow holds its own events up and nothing else: what it has not taken is read from the log later.
import { concat, defer, filter, of, repeat, takeWhile, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ClientEvent } from '../lib/server/client-event.ts'
import type { World } from './world.ts'

export interface PacedEventsOptions extends Pick<World, 'client' | 'stdout'> {
  readonly session: string
  /** The log from its beginning first; otherwise live only. */
  readonly fromStart: boolean
  /** Pieces of messages and of tools' output too; some are missing where the reader was slow. Default false. */
  readonly deltas?: boolean
}

/**
 * A session's durable events, without gap or repeat, beginning with `attached`. While more than 1 MiB waits in stdout the
 * client is detached; then it attaches again behind the last event. Nothing is held here.
 */
export function pacedEvents({
  client,
  stdout,
  session,
  fromStart,
  deltas = false,
}: PacedEventsOptions): Observable<ClientEvent> {
  return defer(() => {
    let after = fromStart ? 0 : undefined
    let attachments = 0
    const remember = (event: ClientEvent): void => {
      if (event.type === 'event') after = event.seq ?? after
      if (event.type !== 'attached') return
      after ??= event.head
      attachments += 1
    }
    const attached$ = defer(() => {
      const from = after === undefined ? {} : { after }
      return client.events$(session, { deltas, ...from })
    })
    return attached$.pipe(
      tap(remember),
      takeWhile((event) => event.type === 'attached' || !stdout.isFull(), true),
      repeat({ delay: () => concat(stdout.flushed(), of(true)) }),
      filter((event) => event.type !== 'attached' || attachments === 1),
    )
  })
}
