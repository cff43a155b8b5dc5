// Folds a complete message: adds the text that was not received yet; shows nothing twice.
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { innerCall } from '../../../lib/streams/messages/inner-call.ts'
import type { AssistantContent, AssistantMessage, Message, UserMessage } from '../../../lib/streams/messages/message.ts'
import { displayText } from '../../../lib/streams/messages/message-text.ts'
import { foldBashMessage } from './fold-bash.ts'
import { closeBlock, appendText } from './fold-delta.ts'
import { closeItem, openTextItem } from './text-items.ts'
import { newToolItem } from './view-item.ts'
import type { ToolItem, UserItem, ViewItem } from './view-item.ts'
import type { View } from './view.ts'
import { addNotice } from './view.ts'

export function foldMessage(
  view: View,
  { entryId, message }: Pick<EventNamed<'message_end'>, 'entryId' | 'message'>,
): View {
  switch (message.role) {
    case 'user': {
      const { delivering, ...rest } = view
      return { ...rest, live: [...view.live, userItem(entryId, message, delivering !== undefined)] }
    }
    case 'assistant':
      return foldAnswer(view, entryId, message)
    case 'toolResult':
      return {
        ...view,
        live: view.live.map((item) => (item.id === message.toolCallId ? addResult(item, message) : item)),
      }
    default:
      return foldBashMessage(view, entryId, message) ?? view
  }
}

function foldAnswer({ writing, ...view }: View, entryId: string, message: AssistantMessage): View {
  const received = writing?.entryId === entryId ? writing.received : {}
  let live = view.live
  message.content.forEach((block, index) => {
    live = completeBlock(live, `${entryId}/${index}`, block, received[index])
  })
  const { usage, stopReason } = message
  const contextTokens = usage.input + usage.cacheRead + usage.cacheWrite + usage.output || view.contextTokens
  const next: View = {
    ...view,
    live: closeBlocks(live, `${entryId}/`),
    contextTokens,
    model: `${message.provider}/${message.model}`,
  }
  if (stopReason === 'length') {
    const text = 'The answer was cut: the model reached its output limit'
    return addNotice(next, { level: 'warning', text, hint: 'Send “continue” to get the rest' })
  }
  return next
}

/** Closes blocks that the message does not have: after a server crash the log lacks their pieces. */
function closeBlocks(live: readonly ViewItem[], ofMessage: string): readonly ViewItem[] {
  return live.flatMap((item): ViewItem | readonly ViewItem[] => {
    if (item.kind === 'text') return item.open !== undefined && item.id.startsWith(ofMessage) ? closeItem(item) : item
    if (item.kind === 'thinking') return item.id.startsWith(ofMessage) ? { ...item, isOpen: false } : item
    if (item.kind !== 'tool' || item.state !== 'writing' || !item.block.startsWith(ofMessage)) return item
    return { ...item, state: 'done' }
  })
}

/** @param received UTF-16 units of the block so far; undefined if its start was not received */
function completeBlock(
  live: readonly ViewItem[],
  block: string,
  content: AssistantContent,
  received: number | undefined,
): readonly ViewItem[] {
  switch (content.type) {
    case 'text': {
      const begun = received === undefined ? [...live, openTextItem(block)] : live
      const rest = content.text.slice(received ?? 0)
      return closeBlock(rest === '' ? begun : appendText(begun, block, rest), block)
    }
    case 'thinking': {
      const { thinking: text, redacted = false } = content
      if (received === undefined)
        return [...live, { kind: 'thinking', id: block, text, tail: '', isOpen: false, redacted }]
      const rest = text.slice(received)
      return closeBlock(rest === '' ? live : appendText(live, block, rest), block)
    }
    case 'toolCall': {
      const known = live.find((item): item is ToolItem => item.kind === 'tool' && item.id === content.id)
      const { id, name, arguments: args } = innerCall(content)
      if (known === undefined) return [...live, newToolItem({ id, name, block, state: 'waiting', args })]
      const next: ToolItem = { ...known, name, args, state: known.state === 'writing' ? 'waiting' : known.state }
      return live.map((item) => (item === known ? next : item))
    }
  }
}

function userItem(id: string, message: UserMessage, wasQueued: boolean): UserItem {
  const { content } = message
  const images = typeof content === 'string' ? 0 : content.filter(({ type }) => type === 'image').length
  return { kind: 'user', id, text: displayText(message), images, wasQueued }
}

/** Adds the result of a call whose end was not received. */
function addResult(item: ViewItem, message: Extract<Message, { role: 'toolResult' }>): ViewItem {
  if (item.kind !== 'tool' || item.state === 'done') return item
  const { content, isError, details, durationMs } = message
  return {
    ...item,
    state: 'done',
    tail: '',
    content,
    isError,
    ...(details === undefined ? {} : { details }),
    ...(durationMs === undefined ? {} : { durationMs }),
  }
}
