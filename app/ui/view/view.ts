// The immutable state of the screen; `foldView` makes the next one from an input.
import { noExtensionUi } from '../../../lib/streams/commands/extension-ui-commands.ts'
import type { ExtensionUi } from '../../../lib/streams/commands/extension-ui-commands.ts'
import type { ConnectionState } from '../../../lib/server/client/reconnect.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import type { FeatureState } from '../../../lib/streams/state/fold-features.ts'
import type { QueuedInput } from '../../../lib/streams/state/fold-inputs.ts'
import type { ImageContent, Usage } from '../../../lib/streams/messages/message.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type { ThinkingLevel } from '../../../lib/streams/models/model.ts'
import type { Line } from '../text/span.ts'
import type { RunChanges } from '../text/count-changes.ts'
import type { ViewItem, NoticeItem } from './view-item.ts'

/** The component that has the keys in place of the editor; at most one. */
export type Overlay =
  | { readonly name: 'help' }
  | { readonly name: 'login'; readonly provider?: string }
  /** A sign-in to an MCP server, as a session in `cwd` has it. */
  | { readonly name: 'server_login'; readonly server: string; readonly cwd: string }
  /** A page of text. */
  | { readonly name: 'page'; readonly title: string; readonly lines: readonly Line[] }
  /** The plan, or the whole output of the tool calls. */
  | { readonly name: 'plan' | 'output' }
  /** The output of a job. */
  | { readonly name: 'job'; readonly jobId: string }
  /** Active sessions of this folder, before one is chosen. */
  | { readonly name: 'offer'; readonly sessions: ResultOf<'list_sessions'>['sessions'] }
  | { readonly name: 'picker'; readonly picker: string; readonly argument?: string }
  | { readonly name: 'dialog'; readonly requestId: string }

/** A running job; its start (Unix ms) is absent if this client does not know it. */
export type ViewJob = EventNamed<'job_start'> & { readonly since?: number }

export interface ViewSession {
  readonly id: string
  /** Absolute. */
  readonly cwd: string
  /** '' for none. */
  readonly title: string
  /** Why it takes no input. */
  readonly readOnly?: string
}

export interface RunningRun {
  /** Unix ms. */
  readonly since: number
  readonly runId?: string
  /** The model that answers; `View.model` is that of the next request. */
  readonly model?: string
  /** This client has asked the server to stop it. */
  readonly isStopping?: boolean
  /** Changes of its tools. Absent: none yet. */
  readonly changes?: RunChanges
}

/** An undo of this client, until its notice is shown. */
export interface Undoing {
  /**
   * `moving`: the head has not moved yet; `quoting`: the end of the conversation is being read; `quoted`: it is shown.
   */
  readonly stage: 'moving' | 'quoting' | 'quoted'
  /** The notice, if the server has answered. */
  readonly text?: string
}

/** A compaction of this session that is being made. */
export interface Compacting {
  /** Unix ms. */
  readonly since: number
  /** Of the summary so far. */
  readonly characters: number
  /** This client has asked for it. */
  readonly isOwn?: boolean
  /** This client has asked the server to stop it. */
  readonly isStopping?: boolean
}

/** A text to put into the editor. */
export interface Draft {
  readonly text: string
  readonly images?: readonly ImageContent[]
  /** True: what was typed is gone. Default: false. */
  readonly replaces?: boolean
  /** Increases from draft to draft. */
  readonly revision: number
}

export interface View {
  readonly session?: ViewSession
  /** Items that change no more, in order: the last 400, written again after the screen was erased. */
  readonly finished: readonly ViewItem[]
  /** Total number of finished items. */
  readonly finishedCount: number
  /** Incremented when `finished` begins again or is to be written again. */
  readonly generation: number
  /** Items that may still change, in order. */
  readonly live: readonly ViewItem[]
  readonly running?: RunningRun
  readonly compacting?: Compacting
  /** The entry whose summary the model receives in place of earlier messages. */
  readonly compaction?: string
  /** The last event was an edit of the model's context. */
  readonly isEdited?: boolean
  /** Number of ended runs: one may begin and end between two frames. */
  readonly endings: number
  /** Reason and time (Unix ms) of the next attempt. */
  readonly retry?: { readonly attempt: number; readonly at: number; readonly reason: string }
  readonly queue: readonly QueuedInput[]
  /** The queued input in the editor; it may have been sent meanwhile. */
  readonly editing?: string
  /** Open questions; `questions` holds those of the kinds that `ui_request` does not have. */
  readonly requests: readonly EventNamed<'ui_request'>[]
  readonly questions: FeatureState['questions']
  /** Questions that this client has answered, until they are resolved. */
  readonly answered: readonly string[]
  /** Running background jobs. */
  readonly jobs: readonly ViewJob[]
  /** The agent's plan; empty without one. */
  readonly plan: FeatureState['plan']
  /** Lines that extensions draw, in the order of their first lines. */
  readonly surfaces: readonly EventNamed<'surface'>[]
  /** How often this client attached to the session. */
  readonly attachments: number
  readonly model: string
  /** Tokens; undefined if unknown. */
  readonly contextWindow?: number
  readonly thinkingLevel: ThinkingLevel
  /** Which tool calls ask; undefined before there is a session. */
  readonly approvalMode?: string
  /** The phase that restricts the session; absent outside of scenarios. */
  readonly scenario?: { readonly scenario: string; readonly phase: string }
  readonly activeTools: readonly string[]
  readonly usage: Usage
  /** Tokens of the last request and its answer: the used part of the window. */
  readonly contextTokens: number
  /** `lost`: reconnecting for a while. `stopped`: the server was stopped, and the next request starts it again. */
  readonly connection: ConnectionState['status'] | 'lost' | 'stopped'
  readonly overlay?: Overlay
  /** Texts for the editor, for instance inputs that were queued when a run was aborted: oldest first, 100 at most. */
  readonly drafts: readonly Draft[]
  /** The number of inputs that the server has not answered: a hook may hold them before their run. */
  readonly sending: number
  /** Shows thinking in full. */
  readonly showsThinking: boolean
  /** Shows tool output in full. */
  readonly isExpanded: boolean
  /** Another program has the terminal: nothing is written. */
  readonly isLent: boolean
  /** The terminal has the focus, as far as it reports it. */
  readonly isFocused: boolean
  /** Notifications are on. */
  readonly notifies: boolean
  /** The open message and the received UTF-16 units of each of its blocks. */
  readonly writing?: { readonly entryId: string; readonly received: Readonly<Record<number, number>> }
  /** The queued input whose message comes next. */
  readonly delivering?: string
  /** Jobs of user commands whose end was shown before their message. */
  readonly endedJobs: readonly string[]
  /** Display of the session's extensions. */
  readonly extensions: ExtensionUi
  /** The theme of an extension that the user chose for this screen. */
  readonly extensionTheme?: string
  /** Set by the user; absent: the one that fits the background. */
  readonly theme?: 'dark' | 'light'
  /** This client undoes a run, or the notice of its undo waits. */
  readonly undoing?: Undoing
  /** Number of notices so far. */
  readonly notices: number
}

/** True while there was a connection and is none. */
export function isAway({ connection }: View): boolean {
  return connection === 'reconnecting' || connection === 'lost' || connection === 'stopped'
}

/** The view before there is a session. */
export function emptyView(): View {
  return {
    finished: [],
    finishedCount: 0,
    generation: 0,
    live: [],
    endings: 0,
    queue: [],
    requests: [],
    questions: [],
    answered: [],
    jobs: [],
    plan: [],
    surfaces: [],
    attachments: 0,
    model: '',
    thinkingLevel: 'off',
    activeTools: [],
    usage: noUsage,
    contextTokens: 0,
    connection: 'connecting',
    drafts: [],
    sending: 0,
    showsThinking: false,
    isExpanded: false,
    isLent: false,
    isFocused: true,
    notifies: true,
    endedJobs: [],
    extensions: noExtensionUi,
    notices: 0,
  }
}

/** True if the views differ only in their conversations: then the frame around the conversation stays as it is. */
export function hasSameFrame(one: View, other: View): boolean {
  const [before, after] = [new Map(frameEntries(one)), frameEntries(other)]
  return before.size === after.length && after.every(([key, value]) => before.get(key) === value)
}

function frameEntries({ live: _, writing: __, finished: ___, finishedCount: ____, generation: _____, ...frame }: View) {
  return Object.entries<unknown>(frame)
}

/** Appends a notice. */
export function addNotice(view: View, { level, text, hint }: Omit<NoticeItem, 'id' | 'kind'>): View {
  const notices = view.notices + 1
  const item: NoticeItem = {
    kind: 'notice',
    id: `notice-${notices}`,
    level,
    text,
    ...(hint === undefined ? {} : { hint }),
  }
  return { ...view, notices, live: [...view.live, item] }
}
