// Provides short notations for session events and view items.
import type { ReceivedEvent } from '../../../../lib/server/protocol/server-frame.ts'
import type { AgentEvent } from '../../../../lib/streams/events/event.ts'
import type { AssistantContent, AssistantMessage } from '../../../../lib/streams/messages/message.ts'
import { noUsage } from '../../../../lib/streams/messages/message.ts'
import { foldView } from '../../../../app/ui/view/fold-view.ts'
import type { ViewInput } from '../../../../app/ui/view/view-input.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'

export const entryId = 'abcdefg2'
const workspace = { entryId, parentId: null }

export function notices(event: AgentEvent, at = 1_000): ReceivedEvent {
  return { type: 'event', event, at }
}

export function answerOf(content: readonly AssistantContent[], more: Partial<AssistantMessage> = {}): AssistantMessage {
  const facts = { api: 'x', provider: 'p', model: 'm', usage: noUsage, stopReason: 'stop', timestamp: 0 } as const
  return { role: 'assistant', content, ...facts, ...more }
}

export const answerStarts = notices({ type: 'message_start', ...workspace, message: answerOf([]) })

export function answerEnds(...content: readonly AssistantContent[]): ReceivedEvent {
  return notices({ type: 'message_end', ...workspace, message: answerOf(content) })
}

export function textStarts(contentIndex = 0): ReceivedEvent {
  return notices({ type: 'message_update', entryId, delta: { type: 'text_start', contentIndex } })
}

export function piece(text: string, offset: number, contentIndex = 0): ReceivedEvent {
  return notices({ type: 'message_update', entryId, delta: { type: 'text_delta', contentIndex, offset, text } })
}

export function textEnds(contentIndex = 0): ReceivedEvent {
  return notices({ type: 'message_update', entryId, delta: { type: 'text_end', contentIndex } })
}

export function printed(text: string): ReceivedEvent {
  const message = { role: 'user', content: text, timestamp: 0 } as const
  return notices({ type: 'message_end', entryId: 'abcdefg3', parentId: null, message })
}

export function viewOf(...inputs: readonly ViewInput[]): View {
  return inputs.reduce(foldView, emptyView())
}

/** The items as short lines: finished items, then live items after `|`. */
export function shortly({ finished, live }: View): string {
  return [...finished.map(shortItem), '|', ...live.map(shortItem)].join(' ').trim()
}

function shortItem(item: View['live'][number]): string {
  switch (item.kind) {
    case 'user':
      return `user(${item.text})`
    case 'text':
      return `text(${item.source.trim()})`
    case 'thinking':
      return `thinking(${item.text})`
    case 'tool':
      return `tool(${item.name} ${item.state}${item.isError ? ' failed' : ''})`
    case 'bash':
      return `bash(${item.command})`
    case 'notice':
      return `${item.level}(${item.text})`
    case 'welcome':
      return `welcome(${item.title})`
    case 'rendered':
      return `rendered(${item.nodes.length})`
    case 'runEnd':
      return `end(${item.text})`
    case 'summary':
      return `summary(${item.text})`
  }
}
