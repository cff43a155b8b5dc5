// What stands on the screen is a list of items; text in them is as it came, and is made safe where it is drawn.
import type { UserContent } from '../../../lib/streams/messages/message.ts'
import type { OpenText } from './split-text.ts'
import { lastUnits } from '../../../lib/streams/values/truncate.ts'

interface Item {
  /** Unique among the items of a view; the same item, changed, keeps it. */
  readonly id: string
}

/** What a person said. */
export interface UserItem extends Item {
  readonly kind: 'user'
  readonly text: string
  readonly images: number
  /** It waited in a queue before it was delivered. */
  readonly wasQueued: boolean
}

/** A piece of an answer: whole blocks of Markdown, or what the last one has so far. */
export interface TextItem extends Item {
  readonly kind: 'text'
  readonly source: string
  /** The first piece of its block. */
  readonly isFirst: boolean
  /** A blank line stands before it. */
  readonly hasGap: boolean
  /** It goes on with the code of the piece before it, in this language (''  where none was named). */
  readonly codeOf?: string
  /** While it is being written. */
  readonly open?: OpenText
}

export interface ThinkingItem extends Item {
  readonly kind: 'thinking'
  readonly text: string
  /** Its last characters, 2,048 at most. */
  readonly tail: string
  readonly isOpen: boolean
  /** The provider keeps it secret. */
  readonly redacted: boolean
}

/** A tool call, from its first character on. */
export interface ToolItem extends Item {
  readonly kind: 'tool'
  readonly name: string
  /** `entry/block` of the answer that it is part of. */
  readonly block: string
  /** `writing`: its arguments are coming; `waiting`: it has not started. */
  readonly state: 'writing' | 'waiting' | 'running' | 'done'
  /** What is known of them while they come: their first 1,024 characters. */
  readonly argumentsText: string
  /** How long they are so far, in UTF-16 units. */
  readonly argumentsLength: number
  /** When they are whole. */
  readonly args?: unknown
  /** The end of its live output, at most 16 Ki characters. */
  readonly tail: string
  readonly progressPercent?: number
  /** Unix ms. */
  readonly startedAt?: number
  readonly durationMs?: number
  readonly isError: boolean
  readonly content: readonly UserContent[]
  readonly details?: unknown
}

/** A command that the user ran. */
export interface BashItem extends Item {
  readonly kind: 'bash'
  readonly command: string
  readonly output: string
  readonly exitCode?: number
  /** The model is not shown it. */
  readonly isExcluded: boolean
  /** It runs. */
  readonly isOpen?: boolean
  /** It was ended before it ended by itself. */
  readonly isCancelled?: boolean
}

/** A line for people: what happened, and what to do. */
export interface NoticeItem extends Item {
  readonly kind: 'notice'
  readonly level: 'info' | 'success' | 'warning' | 'error'
  readonly text: string
  /** What to do. */
  readonly hint?: string
}

/** Something that stands for what came before: a compaction, a summary of a branch. */
export interface SummaryItem extends Item {
  readonly kind: 'summary'
  readonly title: string
  readonly text: string
}

export type ViewItem = UserItem | TextItem | ThinkingItem | ToolItem | BashItem | NoticeItem | SummaryItem

/** It changes no more. */
export function isFinal(item: ViewItem): boolean {
  switch (item.kind) {
    case 'text':
      return item.open === undefined
    case 'thinking':
      return !item.isOpen
    case 'tool':
      return item.state === 'done'
    case 'bash':
      return item.isOpen !== true
    default:
      return true
  }
}

// The end of a text that grows: it is cut once it is twice as long, so that a piece costs what it is long.

/** At least the last `limit` UTF-16 units, at most twice as many. */
export function boundedTail(text: string, limit: number): string {
  return text.length <= 2 * limit ? text : lastUnits(text, limit)
}

// A tool call's item from what is known of it first.

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
