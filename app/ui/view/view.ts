// All that the screen shows, at one moment: an immutable value that `foldView` makes from the one before and one input.
import type { ConnectionState } from '../../../lib/server/client/reconnect.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import type { QueuedInput } from '../../../lib/streams/state/fold-inputs.ts'
import type { ImageContent, Usage } from '../../../lib/streams/messages/message.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type { ThinkingLevel } from '../../../lib/streams/models/model.ts'
import type { Line } from '../text/span.ts'
import type { ViewItem, NoticeItem } from './view-item.ts'

/** What takes the keys in the editor's place; at most one is open. */
export type Overlay =
  | { readonly name: 'help' }
  | { readonly name: 'login'; readonly provider?: string }
  /** A page of text. */
  | { readonly name: 'page'; readonly title: string; readonly lines: readonly Line[] }
  /** What is going on in this folder, before a session is chosen. */
  | { readonly name: 'offer'; readonly sessions: ResultOf<'list_sessions'>['sessions'] }
  | { readonly name: 'picker'; readonly picker: string; readonly argument?: string }
  | { readonly name: 'dialog'; readonly requestId: string }

export interface ViewSession {
  readonly id: string
  /** Absolute. */
  readonly cwd: string
  /** '' where it has none. */
  readonly title: string
  /** Why it takes no input. */
  readonly readOnly?: string
}

export interface RunningRun {
  /** Unix ms. */
  readonly since: number
  readonly runId?: string
}

export interface View {
  readonly session?: ViewSession
  /** What changes no more, in order: the last 400 items, which are written once more where the screen was erased. */
  readonly finished: readonly ViewItem[]
  /** How many there were in all. */
  readonly finishedCount: number
  /** Counts up where `finished` begins anew, or is to be written once more. */
  readonly generation: number
  /** What may still change, in order. */
  readonly live: readonly ViewItem[]
  readonly running?: RunningRun
  /** How many runs have ended: one may begin and end between two frames. */
  readonly endings: number
  /** Why the model is asked again, and when (Unix ms). */
  readonly retry?: { readonly attempt: number; readonly at: number; readonly reason: string }
  readonly queue: readonly QueuedInput[]
  /** The one of them that is changed in the editor; it may have been sent meanwhile. */
  readonly editing?: string
  /** What people were asked and nobody has answered yet. */
  readonly requests: readonly EventNamed<'ui_request'>[]
  /** The one of them that was answered on this screen. */
  readonly answered?: string
  /** Background jobs that run. */
  readonly jobs: readonly EventNamed<'job_start'>[]
  readonly model: string
  /** Tokens; undefined where it is not known. */
  readonly contextWindow?: number
  readonly thinkingLevel: ThinkingLevel
  readonly activeTools: readonly string[]
  readonly usage: Usage
  /** Tokens of the last request and its answer: what the window holds. */
  readonly contextTokens: number
  readonly connection: ConnectionState['status']
  readonly overlay?: Overlay
  /** What the editor is to begin with: inputs that were queued when a run was aborted. `revision` tells one from another. */
  readonly draft: { readonly text: string; readonly images?: readonly ImageContent[]; readonly revision: number }
  /** Thinking is shown whole. */
  readonly showsThinking: boolean
  /** Tools' output is shown whole. */
  readonly isExpanded: boolean
  /** Somebody else has the terminal for a while: nothing is written. */
  readonly isLent: boolean
  /** The user looks at this terminal, as far as it says so. */
  readonly isFocused: boolean
  /** The terminal may tell who looks elsewhere that a run has ended. */
  readonly notifies: boolean
  /** The message that is being written, and how many UTF-16 units of each of its blocks have been seen. */
  readonly writing?: { readonly entryId: string; readonly received: Readonly<Record<number, number>> }
  /** The queued input whose message comes next. */
  readonly delivering?: string
  /** The jobs of user's commands whose end was shown before their message came. */
  readonly endedJobs: readonly string[]
  /** Chosen by the user; absent: what fits the terminal's background. */
  readonly theme?: 'dark' | 'light'
  /** How many lines for people there were. */
  readonly notices: number
}

/** Before there is a session. */
export function emptyView(): View {
  return {
    finished: [],
    finishedCount: 0,
    generation: 0,
    live: [],
    endings: 0,
    queue: [],
    requests: [],
    jobs: [],
    model: '',
    thinkingLevel: 'off',
    activeTools: [],
    usage: noUsage,
    contextTokens: 0,
    connection: 'connecting',
    draft: { text: '', revision: 0 },
    showsThinking: false,
    isExpanded: false,
    isLent: false,
    isFocused: true,
    notifies: true,
    endedJobs: [],
    notices: 0,
  }
}

// The frame below the conversation is drawn for what it shows: a delta changes nothing of it.

/** True where the views differ in nothing but their conversations. */
export function hasSameFrame(one: View, other: View): boolean {
  const [before, after] = [new Map(shown(one)), shown(other)]
  return before.size === after.length && after.every(([key, value]) => before.get(key) === value)
}

function shown({ live: _, writing: __, finished: ___, finishedCount: ____, generation: _____, ...frame }: View) {
  return Object.entries<unknown>(frame)
}

// A line for people stands where it was told, behind what was there.

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
