// Who attaches is told where the session is, and then fed from where it asked to begin.
import type { Observable } from 'rxjs'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import { attachmentStart } from './attachment-start.ts'
import { feed } from '../feed/feed.ts'
import type { Pressure } from '../feed/feed.ts'
import type { ServedSession } from '../feed/served-session.ts'

type AttachCommand = Omit<CommandNamed<'attach'>, 'type' | 'tools'>

export interface Attachment {
  readonly result: ResultOf<'attach'>
  /** To be subscribed right after the result was sent; see `feed`. */
  readonly frames$: Observable<string>
}

/**
 * With `after` or `tail`: the durable events from the log, `caught_up`, what is open in mid-message, then live. With neither:
 * what is open, then live. `deltas: false` leaves out the pieces of messages and of tools' output; `joinMs` joins them.
 * @throws Failure `bad_request` where `after` is beyond the log's end, or given together with `tail`
 */
export function attach(served: ServedSession, command: AttachCommand, pressure: Pressure): Attachment {
  const { session, channel, header } = served
  const { seq: head, headEntryId, queue, requests } = session.state$.value
  const { deltas = true, joinMs = 0 } = command
  const after = attachmentStart(command, head)
  return {
    result: { channel, head, headEntryId, header, queue: [...queue], requests: [...requests] },
    frames$: feed(served, { after: after ?? head, marked: after !== undefined, deltas, joinMs, pressure }),
  }
}
