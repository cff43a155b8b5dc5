// Inputs of the view: events of the session, and events of this client.
import type { ExtensionUi } from '../../../lib/streams/commands/extension-ui-commands.ts'
import type { RenderNode } from '../../../lib/streams/commands/render-commands.ts'
import type { ClientEvent } from '../../../lib/server/protocol/server-frame.ts'
import type { ConnectionState } from '../../../lib/server/client/reconnect.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { ImageContent } from '../../../lib/streams/messages/message.ts'
import type { NoticeItem } from './view-item.ts'
import type { Overlay } from './view.ts'

/**
 * The end of a conversation, oldest first: its entries, the summaries among them, and the one that the context begins
 * with.
 */
export type History = Pick<ResultOf<'get_entries'>, 'entries' | 'summaries' | 'compaction'>

/** Shows another session; its events follow the `seq` of `status`. */
export interface OpenedInput extends History {
  readonly type: 'opened'
  readonly opened: Pick<ResultOf<'open_session'>, 'session' | 'header' | 'model' | 'notices' | 'readOnly'>
  readonly status: ResultOf<'get_state'>
  /** Earlier entries exist. */
  readonly hasEarlier: boolean
}

/** An extension's drawing of the result of a call, or below a message. */
export type Drawn = { readonly nodes: readonly RenderNode[] } & (
  | { readonly toolCallId: string }
  | { readonly entryId: string }
)

export type ViewInput =
  | ClientEvent
  | OpenedInput
  | { readonly type: 'connection'; readonly state: ConnectionState }
  /** A person stopped the server: the next request starts it again. */
  | { readonly type: 'server_stopped' }
  /** Shows the first lines of the screen. */
  | { readonly type: 'welcome'; readonly title: string; readonly lines: readonly string[] }
  /** Shows a notice. */
  | { readonly type: 'notice'; readonly level: NoticeItem['level']; readonly text: string; readonly hint?: string }
  /** Opens an overlay; absent: closes it. */
  | { readonly type: 'overlay'; readonly overlay?: Overlay }
  /** Puts a text into the editor, before what is typed there, or in place of it. */
  | {
      readonly type: 'draft'
      readonly text: string
      readonly images?: readonly ImageContent[]
      readonly replaces?: boolean
    }
  /** The editor has the drafts up to this number. */
  | { readonly type: 'drafts_taken'; readonly revision: number }
  /** An input is on its way to the session: 1; the server has answered: -1. */
  | { readonly type: 'sending'; readonly change: 1 | -1 }
  /** Sets the theme; absent: the one that fits the background. */
  | { readonly type: 'theme'; readonly theme?: 'dark' | 'light' }
  /** Chooses a theme of an extension for this screen. */
  | { readonly type: 'extension_theme'; readonly name: string }
  /** An extension's drawing of the event at `seq`. */
  | { readonly type: 'rendered'; readonly seq: number; readonly nodes: readonly RenderNode[] }
  /** An extension is to draw the result of this call, whose end follows. */
  | { readonly type: 'tool_drawing'; readonly toolCallId: string }
  /** Its drawing; empty: none. */
  | { readonly type: 'tool_drawn'; readonly toolCallId: string; readonly nodes: readonly RenderNode[] }
  /** Extensions' drawings of results and messages that are shown already. */
  | { readonly type: 'history_drawn'; readonly drawn: readonly Drawn[] }
  /** Display of extensions; `before`: their notices of events up to this `seq` were missed. */
  | { readonly type: 'extension_ui'; readonly extensions: ExtensionUi; readonly before?: number }
  | { readonly type: 'toggle_thinking' }
  | { readonly type: 'toggle_expanded' }
  /** Erases the screen and writes the finished items again. */
  | { readonly type: 'redraw' }
  /** Another program has the terminal, or has returned it. */
  | { readonly type: 'lent'; readonly isLent: boolean }
  /** The queued input to edit; absent: a new input. */
  | { readonly type: 'editing'; readonly queueId?: string }
  /** Whether the terminal has the focus. */
  | { readonly type: 'focus'; readonly isFocused: boolean }
  /** Whether notifications are on. */
  | { readonly type: 'notifies'; readonly notifies: boolean }
  /** This client asks the server to stop the run; false: the server refused. */
  | { readonly type: 'stopping'; readonly isStopping: boolean }
  /** This client undoes a run: its own notice names the files. */
  | { readonly type: 'undoing'; readonly isUndoing: boolean }
  /** This client asks for a compaction at this time (Unix ms); absent: it has the response. */
  | { readonly type: 'compacting'; readonly since?: number }
  /** The result of that undo: shown after the quoted end of the conversation. */
  | { readonly type: 'undone'; readonly text: string }
  /** The last entries of the new branch; empty if they cannot be read. */
  | ({ readonly type: 'branch'; readonly isUnread?: true } & History)
  /** A person closed a surface here, or the server has none of this id. */
  | { readonly type: 'surface_closed'; readonly surface: string }
  /** This client has answered a question. */
  | { readonly type: 'answered'; readonly requestId: string }
