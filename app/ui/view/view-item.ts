// Items of the view: messages, tool calls, notices; their text is raw, drawing escapes it.
import type { RenderNode } from '../../../lib/streams/commands/render-commands.ts'
import type { UserContent } from '../../../lib/streams/messages/message.ts'
import type { OpenText } from './split-text.ts'
import { lastUnits } from '../../../lib/streams/values/truncate.ts'

interface Item {
  /** Unique in a view; a changed item keeps it. */
  readonly id: string
}

/** A prompt. */
export interface UserItem extends Item {
  readonly kind: 'user'
  readonly text: string
  readonly images: number
  /** It was queued before it was delivered. */
  readonly wasQueued: boolean
}

/** A piece of an answer: complete Markdown blocks, or the incomplete last one. */
export interface TextItem extends Item {
  readonly kind: 'text'
  readonly source: string
  /** The first piece of its block. */
  readonly isFirst: boolean
  /** A blank line precedes it. */
  readonly hasGap: boolean
  /** Continues the code of the previous piece in this language ('' if none is named). */
  readonly codeOf?: string
  /** Present while it is incomplete. */
  readonly open?: OpenText
}

export interface ThinkingItem extends Item {
  readonly kind: 'thinking'
  readonly text: string
  /** The last 2,048 to 4,096 UTF-16 units; all of them if there are fewer. */
  readonly tail: string
  readonly isOpen: boolean
  /** The provider hides the text. */
  readonly redacted: boolean
}

/** A tool call, from its first character. */
export interface ToolItem extends Item {
  readonly kind: 'tool'
  readonly name: string
  /** `entry/block` of the answer that contains it. */
  readonly block: string
  /** `writing`: its arguments arrive; `waiting`: it has not started. */
  readonly state: 'writing' | 'waiting' | 'running' | 'done'
  /** The first 1,024 characters of the arguments while they arrive. */
  readonly argumentsText: string
  /** Length of the arguments so far, in UTF-16 units. */
  readonly argumentsLength: number
  /** Present when they are complete. */
  readonly args?: unknown
  /** The tail of its live output, at most 16 Ki characters. */
  readonly tail: string
  readonly progressPercent?: number
  /** Unix ms. */
  readonly startedAt?: number
  readonly durationMs?: number
  readonly isError: boolean
  readonly content: readonly UserContent[]
  readonly details?: unknown
  /** An extension draws the result: the call waits for it. */
  readonly isDrawing?: true
  /** The extension's drawing in place of the result. */
  readonly nodes?: readonly RenderNode[]
}

/** A shell command of the user. */
export interface BashItem extends Item {
  readonly kind: 'bash'
  readonly command: string
  readonly output: string
  readonly exitCode?: number
  /** Hidden from the model. */
  readonly isExcluded: boolean
  /** It is running. */
  readonly isOpen?: boolean
  /** It was cancelled. */
  readonly isCancelled?: boolean
}

/** A notice: what happened, and advice. */
export interface NoticeItem extends Item {
  readonly kind: 'notice'
  readonly level: 'info' | 'success' | 'stopped' | 'warning' | 'error'
  readonly text: string
  /** Advice. */
  readonly hint?: string
}

/** The summary of a compaction or of a branch. */
export interface SummaryItem extends Item {
  readonly kind: 'summary'
  readonly title: string
  readonly text: string
  /** Advice. */
  readonly hint?: string
}

/** The end of a run: time, files, cost. */
export interface RunEndItem extends Item {
  readonly kind: 'runEnd'
  readonly text: string
}

/** The first lines of the screen. */
export interface WelcomeItem extends Item {
  readonly kind: 'welcome'
  readonly title: string
  readonly lines: readonly string[]
}

/** An extension's drawing of an event. */
export interface RenderedItem extends Item {
  readonly kind: 'rendered'
  readonly nodes: readonly RenderNode[]
}

export type ViewItem =
  | RenderedItem
  | WelcomeItem
  | UserItem
  | TextItem
  | ThinkingItem
  | ToolItem
  | BashItem
  | NoticeItem
  | SummaryItem
  | RunEndItem

/** True if the item changes no more. */
export function isFinal(item: ViewItem): boolean {
  switch (item.kind) {
    case 'text':
      return item.open === undefined
    case 'thinking':
      return !item.isOpen
    case 'tool':
      return item.state === 'done' && item.isDrawing !== true
    case 'bash':
      return item.isOpen !== true
    default:
      return true
  }
}

/**
 * Bounds a growing text: returns the last `limit` to `2 * limit` UTF-16 units, the whole text if it is shorter. It cuts
 * only when the text is twice as long, so that a piece costs its own length.
 */
export function boundedTail(text: string, limit: number): string {
  return text.length <= 2 * limit ? text : lastUnits(text, limit)
}

/** Creates the item of a tool call. */
export function newToolItem(known: Pick<ToolItem, 'id' | 'name' | 'block' | 'state'> & Partial<ToolItem>): ToolItem {
  return {
    kind: 'tool',
    argumentsText: '',
    argumentsLength: 0,
    tail: '',
    isError: false,
    content: [],
    ...known,
  }
}
