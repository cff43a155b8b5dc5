// Reads a session's events as fast as stdout takes them, with bounded memory.
import { concat, defer, filter, of, repeat, takeWhile, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AttachOptions, Client } from '../../lib/server/client/client.ts'
import type { ClientEvent } from '../../lib/server/protocol/server-frame.ts'
import type { World } from '../process/world.ts'

export interface PaceEventsOptions {
  /** Where the events go. */
  readonly stdout: Pick<World['stdout'], 'isFull' | 'flushed'>
  readonly client: Pick<Client, 'events$'>
  readonly session: string
  /** The first events: the last N of the log, those after a seq, or none. */
  readonly from: { readonly tail?: number; readonly after?: number }
  /** Includes pieces of messages and of tool output; some are missing after a slow read. Default false. */
  readonly deltas?: boolean
  /** See `AttachOptions`. */
  readonly files?: AttachOptions['files']
  /** See `AttachOptions`. */
  readonly terminals?: AttachOptions['terminals']
}

/**
 * Emits a session's durable events without gap or repeat, `attached` first. Detaches the client while `stdout` is full
 * and attaches it again after the last event. Buffers nothing.
 */
export function paceEvents({
  client,
  stdout,
  session,
  from,
  deltas = false,
  files,
  terminals,
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
    const offered = { ...(files === undefined ? {} : { files }), ...(terminals === undefined ? {} : { terminals }) }
    const attached$ = defer(() =>
      client.events$(session, { deltas, ...offered, ...(after === undefined ? from : { after }) }),
    )
    return attached$.pipe(
      tap(remember),
      takeWhile((event) => event.type === 'attached' || !stdout.isFull(), true),
      repeat({ delay: () => concat(stdout.flushed(), of(true)) }),
      filter((event) => event.type !== 'attached' || attachments === 1),
    )
  })
}
