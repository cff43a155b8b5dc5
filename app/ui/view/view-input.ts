// What a view is made of: the session's events as the client tells them, and what happens on this side of the socket.
import type { ClientEvent } from '../../../lib/server/protocol/server-frame.ts'
import type { ConnectionState } from '../../../lib/server/client/reconnect.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { ImageContent } from '../../../lib/streams/messages/message.ts'
import type { NoticeItem } from './view-item.ts'
import type { Overlay } from './view.ts'

/** Another session is shown from now on; its events come after the `seq` of `status`. */
export interface OpenedInput {
  readonly type: 'opened'
  readonly opened: Pick<ResultOf<'open_session'>, 'session' | 'header' | 'model' | 'notices' | 'readOnly'>
  readonly status: ResultOf<'get_state'>
  /** The end of the conversation, oldest first. */
  readonly entries: ResultOf<'get_entries'>['entries']
  /** There is more before it. */
  readonly hasEarlier: boolean
}

export type ViewInput =
  | ClientEvent
  | OpenedInput
  | { readonly type: 'connection'; readonly state: ConnectionState }
  /** A line for people. */
  | { readonly type: 'notice'; readonly level: NoticeItem['level']; readonly text: string; readonly hint?: string }
  /** None closes it. */
  | { readonly type: 'overlay'; readonly overlay?: Overlay }
  /** The editor is to begin with this. */
  | { readonly type: 'draft'; readonly text: string; readonly images?: readonly ImageContent[] }
  /** None: what fits the terminal's background. */
  | { readonly type: 'theme'; readonly theme?: 'dark' | 'light' }
  | { readonly type: 'toggle_thinking' }
  | { readonly type: 'toggle_expanded' }
  /** The screen is erased, and what is finished written once more. */
  | { readonly type: 'redraw' }
  /** Somebody else has the terminal, or has given it back. */
  | { readonly type: 'lent'; readonly isLent: boolean }
  /** The input that waits and is changed in the editor; none: a new one is written. */
  | { readonly type: 'editing'; readonly queueId?: string }
  /** The terminal says whether its user looks at it. */
  | { readonly type: 'focus'; readonly isFocused: boolean }
  /** The terminal may tell who looks elsewhere that a run has ended, or may not. */
  | { readonly type: 'notifies'; readonly notifies: boolean }
  /** The conversation goes on from another entry: how it ends there. */
  | { readonly type: 'branch'; readonly entries: OpenedInput['entries'] }
  /** A question was answered on this screen. */
  | { readonly type: 'answered'; readonly requestId: string }
